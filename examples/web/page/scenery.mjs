// The static parts of a world as triangles and lines. Each vertex has a position (x, y, z) and a colour (r, g, b, a).
// SPDX-License-Identifier: MIT

const ground = [0.055, 0.082, 0.125, 1];
const grid = [0.5, 0.65, 0.9, 0.05];
const edge = [0.45, 0.58, 0.8, 0.45];
const solid = [0.2, 0.26, 0.35, 1];
const rim = [0.42, 0.52, 0.68, 1];
const way = [0.55, 0.75, 1, 0.22];
const goal = [0.95, 0.85, 0.5, 0.05], goalRim = [0.95, 0.85, 0.5, 0.4];
const slow = [0.54, 0.35, 0.17], fast = [0.17, 0.54, 0.42]; // tints of speed zones
const light = [0.45, 0.8, 0.4]; // where it comes from, in spatial worlds

const circleSides = 40;
const attractorPart = 0.009; // radius of an attractor's mark / diagonal of the world
const ballRings = 12;
const gridLines = 12; // about, along the longer side

const shade = (colour, normal) => {
  const bright = 0.55 + 0.6 * Math.max(0, normal.reduce((sum, value, i) => sum + value * light[i], 0));
  return [...colour.slice(0, 3).map((value) => value * bright), colour[3]];
};

export function buildScenery(layout) {
  const triangles = [], lines = [];
  const put = (list, place, colour) => list.push(place[0], place[1], place[2], ...colour);
  const line = (a, b, colour) => { put(lines, a, colour); put(lines, b, colour); };
  const triangle = (a, b, c, colour) => { for (const place of [a, b, c]) put(triangles, place, colour); };
  const quad = (a, b, c, d, colour) => { triangle(a, b, c, colour); triangle(a, c, d, colour); };
  const point = (array, k) => [array[3 * k], array[3 * k + 1], array[3 * k + 2]];

  const rectangle = (x0, z0, x1, z1, colour) => quad([x0, 0, z0], [x1, 0, z0], [x1, 0, z1], [x0, 0, z1], colour);

  function addGround({ min, max }) {
    rectangle(min[0], min[2], max[0], max[2], ground);
    const step = niceStep(Math.max(max[0] - min[0], max[2] - min[2]) / gridLines);
    for (let x = Math.ceil(min[0] / step) * step; x < max[0]; x += step) line([x, 0, min[2]], [x, 0, max[2]], grid);
    for (let z = Math.ceil(min[2] / step) * step; z < max[2]; z += step) line([min[0], 0, z], [max[0], 0, z], grid);
    const corners = [[min[0], 0, min[2]], [max[0], 0, min[2]], [max[0], 0, max[2]], [min[0], 0, max[2]]];
    corners.forEach((corner, i) => line(corner, corners[(i + 1) % 4], edge));
  }

  // Adds the part of a convex polygon of points (x, z) that is inside the box, at the height of the ground.
  function addPatch(points, colour, { min, max, open, spatial }) {
    for (const [axis, sign] of open ? [] : [[0, 1], [0, -1], [1, 1], [1, -1]]) {
      const depth = (p) => sign * (p[axis] - (sign > 0 ? min : max)[2 * axis]);
      points = points.flatMap((p, k) => {
        const q = points[(k + 1) % points.length], part = depth(p) / (depth(p) - depth(q));
        const border = [p[0] + (q[0] - p[0]) * part, p[1] + (q[1] - p[1]) * part];
        return [...(depth(p) >= 0 ? [p] : []), ...(depth(p) >= 0 !== depth(q) >= 0 ? [border] : [])];
      });
    }
    const place = (p) => [p[0], spatial ? min[1] : 0, p[1]];
    for (let k = 1; k + 1 < points.length; k++)
      triangle(place(points[0]), place(points[k]), place(points[k + 1]), colour);
  }

  function addZone({ centre, circle, radius, width, length, yaw, factor }, layout) {
    const strength = 0.25 + 0.5 * Math.min(Math.abs(Math.log2(factor)) / 3, 1), sides = circle ? circleSides : 4;
    const colour = [...(factor < 1 ? slow : fast), strength];
    const corners = Array.from({ length: sides }, (_, k) => {
      const turn = circle ? 2 * Math.PI * k / sides : yaw, x = k % 4 % 3 === 0 ? -0.5 : 0.5, z = k % 4 < 2 ? -0.5 : 0.5;
      const across = circle ? 0 : x * width, along = circle ? radius : z * length;
      return [centre[0] + across * Math.cos(turn) + along * Math.sin(turn),
        centre[2] - across * Math.sin(turn) + along * Math.cos(turn)];
    });
    addPatch(corners, colour, layout);
  }

  // Adds the cells of the raster as square zones, then the zones.
  function addZones(layout) {
    const { wide, high, factor, side, x, z } = layout.raster;
    for (let k = 0; k < wide * high; k++) {
      const centre = [x + (k % wide + 0.5) * side, 0, z + (Math.floor(k / wide) + 0.5) * side];
      if (factor[k] !== 1) addZone({ centre, width: side, length: side, yaw: 0, factor: factor[k] }, layout);
    }
    for (const zone of layout.zones) addZone(zone, layout);
  }

  // Adds a rectangle for each range of adjacent blocked cells in a row.
  function addCells({ wide, high, blocked, side, x, z }) {
    for (let j = 0; j < high; j++) {
      for (let i = 0; i < wide; i++) {
        const begin = i;
        while (i < wide && blocked[j * wide + i]) i++;
        if (i > begin) rectangle(x + begin * side, z + j * side, x + i * side, z + (j + 1) * side, solid);
      }
    }
  }

  function addCircle(centre, radius, inside = solid, around = rim) {
    const at = (k) => {
      const angle = 2 * Math.PI * k / circleSides;
      return [centre[0] + radius * Math.cos(angle), 0, centre[2] + radius * Math.sin(angle)];
    };
    for (let k = 0; k < circleSides; k++) {
      triangle([centre[0], 0, centre[2]], at(k), at(k + 1), inside);
      line(at(k), at(k + 1), around);
    }
  }

  // Adds a circle around a plus, or around a minus for a repeller.
  function addAttractor({ place: [x, y, z], attracts }, { min, max, spatial }) {
    const radius = attractorPart * Math.hypot(max[0] - min[0], max[2] - min[2]), height = spatial ? y : 0;
    const at = (k) => [x + radius * Math.cos(2 * Math.PI * k / circleSides), height,
      z + radius * Math.sin(2 * Math.PI * k / circleSides)];
    for (let k = 0; k < circleSides; k++) line(at(k), at(k + 1), rim);
    line([x - radius / 2, height, z], [x + radius / 2, height, z], rim);
    if (attracts) line([x, height, z - radius / 2], [x, height, z + radius / 2], rim);
  }

  function addBall(centre, radius) {
    const normal = (ring, k) => {
      const rise = Math.PI * (ring / ballRings - 0.5), turn = Math.PI * k / ballRings;
      return [Math.cos(rise) * Math.cos(turn), Math.sin(rise), Math.cos(rise) * Math.sin(turn)];
    };
    const at = (n) => n.map((value, i) => centre[i] + radius * value);
    for (let ring = 0; ring < ballRings; ring++) {
      for (let k = 0; k < 2 * ballRings; k++) {
        const corners = [normal(ring, k), normal(ring, k + 1), normal(ring + 1, k + 1), normal(ring + 1, k)];
        quad(...corners.map(at), shade(solid, corners[0]));
      }
    }
  }

  function addWall(from, to, thickness) {
    const along = [to[0] - from[0], to[2] - from[2]], length = Math.hypot(...along) || 1;
    const x = -along[1] / length * thickness / 2, z = along[0] / length * thickness / 2;
    quad([from[0] + x, 0, from[2] + z], [to[0] + x, 0, to[2] + z], [to[0] - x, 0, to[2] - z],
      [from[0] - x, 0, from[2] - z], rim);
  }

  function addBox(min, max, faces) {
    const at = (corner) => [0, 1, 2].map((i) => (corner >> i & 1 ? max[i] : min[i]));
    for (let axis = 0; axis < 3; axis++) {
      const u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
      for (const side of [0, 1]) {
        const first = side << axis, normal = [0, 0, 0];
        normal[axis] = 2 * side - 1;
        if (faces) quad(at(first), at(first | u), at(first | u | v), at(first | v), shade(solid, normal));
      }
      for (const corner of [0, u, v, u | v]) line(at(corner), at(corner | 1 << axis), faces ? rim : edge);
    }
  }

  // Adds the part of a plane that is inside the world's bounds.
  function addPlane(place, normal, { min, max }) {
    const axis = Math.abs(normal[1]) > 0.5 ? 1 : Math.abs(normal[0]) > 0.5 ? 0 : 2;
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const at = (onU, onV) => {
      const corner = [0, 0, 0];
      corner[u] = onU;
      corner[v] = onV;
      corner[axis] = place[axis] - ((onU - place[u]) * normal[u] + (onV - place[v]) * normal[v]) / normal[axis];
      return corner;
    };
    quad(at(min[u], min[v]), at(max[u], min[v]), at(max[u], max[v]), at(min[u], max[v]), shade(solid, normal));
  }

  const { min, max, spatial, open, circles, walls, boxes, planes, paths, goals } = layout;
  const longest = Math.max(...max.map((value, i) => value - min[i]));
  if (!open) {
    if (spatial) addBox(min, max, false);
    else addGround(layout);
  }
  addZones(layout);
  addCells(layout.cells);
  for (let k = 0; k < circles.count; k++) (spatial ? addBall : addCircle)(point(circles.centre, k), circles.radius[k]);
  for (let k = 0; k < walls.count; k++) addWall(point(walls.from, k), point(walls.to, k), longest / 300);
  for (let k = 0; k < boxes.count; k++) addBox(point(boxes.min, k), point(boxes.max, k), true);
  for (let k = 0; k < planes.count; k++) addPlane(point(planes.point, k), point(planes.normal, k), layout);
  for (const attractor of layout.attractors) addAttractor(attractor, layout);
  for (const { centre, radius } of goals) addCircle(centre, radius, goal, goalRim);
  for (const { closed, points } of paths) {
    const count = points.length / 3;
    for (let k = 0; k + 1 < count + closed; k++) line(point(points, k), point(points, (k + 1) % count), way);
  }
  return { triangles: new Float32Array(triangles), lines: new Float32Array(lines) };
}

// 1, 2 or 5 times a power of ten, at least `length`.
function niceStep(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * ([1, 2, 5].find((digit) => digit * power >= length) ?? 10);
}
