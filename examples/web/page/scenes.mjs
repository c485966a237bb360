// The menu: the scenes of bench/scenes, each with values that suit a page: the number of agents at the start, and the
// seconds of the world per second of real time.
// SPDX-License-Identifier: MIT

export const mostAgents = 50000;
export const own = 'own'; // in the menu, for a file that the user opens

const scene = (name, label, agents, pace = 1) => ({ name, label, agents, pace });

export const menu = [
  { label: 'Flocks', scenes: [
    scene('shoal', 'Shoal: schools in a periodic sea', 9000),
    scene('flock2', 'Flock: an even one, 20 neighbours each', 20000, 2),
    scene('crowd2', 'Four flocks that keep apart', 16000, 2),
    scene('horizon', 'Horizon: far agents steer in fewer frames', 20000, 2),
    scene('wrapped', 'Wrapped: a flock among obstacles in a periodic world', 400, 2),
    scene('clump2', 'Clumps: strong cohesion', 8000, 2),
    scene('views', 'Three fields of view', 240, 2),
  ] },
  { label: 'In 3-D', scenes: [
    scene('starlings', 'Starlings: a murmuration', 4000),
    scene('reef', 'Reef: shoals among rocks', 3000),
    scene('flock3', 'Flock in a cube', 8000),
    scene('dogfight', 'Dogfight: a prey for each', 160),
  ] },
  { label: 'Crowds', scenes: [
    scene('courtyard', 'Courtyard: four groups among pillars', 1600, 2),
    scene('plaza', 'Plaza: gates, columns and walls', 4000, 3),
    scene('streams', 'Streams that cross', 2400, 2),
    scene('headon', 'Head-on: lanes form', 400, 2),
    scene('corridor', 'Corridor: joined ends, lanes form', 160, 2),
    scene('marsh', 'Marsh: the faster way round', 1200, 2),
    scene('counterflow', 'Counterflow: people both ways', 240, 2),
    scene('bottleneck', 'Bottleneck: people at a door', 150, 2),
    scene('evacuation', 'Evacuation: people leave a hall', 1000, 2),
    scene('concourse', 'Concourse: people in a station', 5000, 2),
    scene('circle', 'Circle: each to the opposite place', 400, 2),
    scene('swap', 'Circle of solid bodies', 250, 2),
    scene('gather', 'Gathering of solid bodies', 1000, 2),
    scene('hotspot', 'Hotspot: everybody to one place', 4000, 2),
    scene('packed', 'Packed: everybody a neighbour of everybody', 4000),
    scene('desks', 'Desks: travellers queue', 200, 2),
  ] },
  { label: 'Ways', scenes: [
    scene('commuters', 'Commuters: flow fields through a town', 12000, 4),
    scene('city', 'City: many goals', 16000, 2),
    scene('rounds', 'Rounds: paths that cross', 3000, 4),
    scene('patrol', 'Patrol: patterns', 900, 2),
    scene('parade', 'Parade: formations', 363, 3),
  ] },
  { label: 'From the books', scenes: [
    scene('kinematic', 'Kinematic beside dynamic', 80),
    scene('orbits', 'Seek circles, arrive stops', 12),
    scene('hunt', 'Seek, pursue, intercept', 12),
    scene('masses', 'Seekers of four masses', 5),
    scene('boats', 'Boats with bow thrusters', 7),
    scene('passing', 'Four forms of avoidance', 96, 2),
    scene('rays', 'Four kinds of rays', 48, 2),
    scene('arbiters', 'Four ways to combine', 80, 2),
    scene('dancers', 'Turn as the leader does', 37, 2),
    scene('lateral', 'A flock that only turns', 150),
    scene('mice', 'Mice hide and hug walls', 45),
    scene('escort', 'A leader and its escort', 30),
    scene('road', 'Cars queue on a road', 13),
    scene('square', 'Loiterers in a square', 118),
    scene('magnets', 'Attractors and a repeller', 62),
  ] },
];

export const findScene = (name) => menu.flatMap(({ scenes }) => scenes).find((item) => item.name === name);
