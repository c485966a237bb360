/* viewer_input.c: keys and the mouse.
 * SPDX-License-Identifier: MIT */
#include "viewer.h"

#include "sidebar.h"

#define CLICK_PIXELS 4.0 /* if the mouse moved by fewer pixels, the button was clicked and not dragged */
#define ZOOM_STEP 1.15f  /* factor per step of the wheel */
#define ASLANT 38.0f     /* degrees: the tilt of the oblique view (T) */

static view_state *of(GLFWwindow *window) { return glfwGetWindowUserPointer(window); }

static void restart(view_state *viewer) {
  viewer->failure.text[0] = 0;
  viewer->single_frames = 0;
  session_restart(&viewer->session, &viewer->failure);
}

static void select_agent(view_state *viewer, uint32_t id) {
  if (id == 0) viewer->follow = false;
  session_select(&viewer->session, id, &viewer->failure);
  viewer->stale = true;
}

static void change_speed(view_state *viewer, float factor) {
  viewer->speed = glm_clamp(viewer->speed * factor, LEAST_SPEED, MOST_SPEED);
}

static void tilt(view_state *viewer) {
  view_camera *camera = &viewer->camera;
  camera->tilt = camera->tilt < CAMERA_FROM_ABOVE ? CAMERA_FROM_ABOVE : ASLANT;
}

static void on_key(GLFWwindow *window, int key, int code, int action, int mods) {
  (void)code, (void)mods;
  view_state *viewer = of(window);
  if (action == GLFW_RELEASE) return;
  viewer->stale = true;
  switch (key) {
  case GLFW_KEY_SPACE:
    viewer->paused = !viewer->paused;
    break;
  case GLFW_KEY_N:
    viewer->paused = true;
    viewer->single_frames += action == GLFW_PRESS; /* a held key repeats: only its press counts */
    break;
  case GLFW_KEY_EQUAL: /* on US keyboards the key of + */
  case GLFW_KEY_KP_ADD:
    change_speed(viewer, 2);
    break;
  case GLFW_KEY_MINUS:
  case GLFW_KEY_KP_SUBTRACT:
    change_speed(viewer, 0.5f);
    break;
  case GLFW_KEY_R:
    restart(viewer);
    break;
  case GLFW_KEY_C:
    viewer->colour = (colour_mode)((viewer->colour + 1) % COLOUR_MODE_COUNT);
    break;
  case GLFW_KEY_F:
    viewer->follow = !viewer->follow && viewer->session.selected.index != 0;
    break;
  case GLFW_KEY_T:
    tilt(viewer);
    break;
  case GLFW_KEY_HOME:
    viewer->follow = false;
    viewer_show_all(viewer);
    break;
  case GLFW_KEY_TAB:
    viewer->show_sidebar = !viewer->show_sidebar;
    break;
  case GLFW_KEY_H:
    viewer->show_help = !viewer->show_help;
    break;
  case GLFW_KEY_ESCAPE:
    glfwSetWindowShouldClose(window, GLFW_TRUE);
    break;
  }
}

/* Handles + on keyboards that have it on another key. */
static void on_character(GLFWwindow *window, unsigned character) {
  view_state *viewer = of(window);
  if (character == '+' && glfwGetKey(window, GLFW_KEY_EQUAL) == GLFW_RELEASE &&
      glfwGetKey(window, GLFW_KEY_KP_ADD) == GLFW_RELEASE)
    change_speed(viewer, 2);
}

static void on_button(GLFWwindow *window, int button, int action, int mods) {
  view_state *viewer = of(window);
  const bool left = button == GLFW_MOUSE_BUTTON_LEFT, down = action == GLFW_PRESS;
  const bool in_picture = viewer->mouse_x >= viewer_sidebar_width(viewer);
  if (!down && left && viewer->orbiting && viewer->dragged < CLICK_PIXELS)
    select_agent(viewer, pick_agent(&viewer->session, &viewer->camera,
                                    (float)(viewer->mouse_x - viewer_sidebar_width(viewer)), (float)viewer->mouse_y));
  viewer->orbiting = down && left && in_picture && !(mods & GLFW_MOD_SHIFT);
  viewer->panning = down && in_picture && !viewer->orbiting;
  viewer->dragged = 0;
}

static void on_move(GLFWwindow *window, double x, double y) {
  view_state *viewer = of(window);
  int window_width, window_height;
  glfwGetWindowSize(window, &window_width, &window_height);
  const double pixels =
      window_width ? (double)viewer->width / window_width : 1; /* GLFW's screen coordinates may differ from pixels */
  const double dx = x * pixels - viewer->mouse_x, dy = y * pixels - viewer->mouse_y;
  viewer->mouse_x += dx;
  viewer->mouse_y += dy;
  viewer->dragged += fabs(dx) + fabs(dy);
  if (viewer->panning) {
    viewer->follow = false;
    camera_pan(&viewer->camera, (float)dx, (float)dy);
  } else if (viewer->orbiting && viewer->dragged >= CLICK_PIXELS) {
    camera_orbit(&viewer->camera, (float)dx, (float)dy);
  }
}

static void on_wheel(GLFWwindow *window, double dx, double dy) {
  (void)dx;
  camera_zoom(&of(window)->camera, powf(ZOOM_STEP, (float)dy));
}

static void on_resize(GLFWwindow *window, int width, int height) {
  view_state *viewer = of(window);
  if (width < SIDEBAR_WIDTH * 2 || height == 0) return; /* the window is hidden or very small */
  viewer->width = width;
  viewer->height = height;
  viewer_scale(viewer);
}

void viewer_listen(view_state *viewer) {
  glfwSetWindowUserPointer(viewer->window, viewer);
  glfwSetKeyCallback(viewer->window, on_key);
  glfwSetCharCallback(viewer->window, on_character);
  glfwSetMouseButtonCallback(viewer->window, on_button);
  glfwSetCursorPosCallback(viewer->window, on_move);
  glfwSetScrollCallback(viewer->window, on_wheel);
  glfwSetFramebufferSizeCallback(viewer->window, on_resize);
}
