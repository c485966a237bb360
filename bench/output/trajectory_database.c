/* SPDX-License-Identifier: MIT */
#include "output/trajectory_database.h"

#ifdef THRONG_HAS_SQLITE
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/files.h"

struct trajectory_database {
  sqlite3 *connection;
  sqlite3_stmt *frame, *agent;
  const char *path;
  int64_t geometry; /* its hash */
};

/* No journal and no waiting for the disk: a file that is not complete is deleted, and not repaired. */
static const char tables[] = "PRAGMA journal_mode=OFF;"
                             "PRAGMA synchronous=OFF;"
                             "BEGIN;"
                             "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT "
                             "NULL, pos_y REAL NOT NULL,"
                             " ori_x REAL NOT NULL, ori_y REAL NOT NULL);"
                             "CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
                             "CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);"
                             "CREATE UNIQUE INDEX geometry_hash ON geometry(hash);"
                             "CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);"
                             "CREATE INDEX frame_id_idx ON trajectory_data(frame, id);";

bool trajectory_database_check(bench_problem *problem) {
  (void)problem;
  return true;
}

static bool refuse(const trajectory_database *database, bench_problem *problem) {
  return problem_set(problem, "%s: cannot write: %s", database->path, sqlite3_errmsg(database->connection));
}

static bool prepare(trajectory_database *database, const char *text, sqlite3_stmt **statement, bench_problem *problem) {
  return sqlite3_prepare_v2(database->connection, text, -1, statement, NULL) == SQLITE_OK || refuse(database, problem);
}

/* Runs a statement that returns no rows, and makes it ready to run again. */
static bool run(const trajectory_database *database, sqlite3_stmt *statement, bench_problem *problem) {
  const bool ok = sqlite3_step(statement) == SQLITE_DONE || refuse(database, problem);
  sqlite3_reset(statement);
  return ok;
}

static bool add_metadata(trajectory_database *database, double rate, const walkable_area *area,
                         bench_problem *problem) {
  const struct {
    const char *key;
    double value;
  } rows[] = {{"version", 2},         {"fps", rate},          {"xmin", area->min[0]},
              {"xmax", area->max[0]}, {"ymin", area->min[1]}, {"ymax", area->max[1]}};
  sqlite3_stmt *insert;
  bool ok = prepare(database, "INSERT INTO metadata VALUES(?, ?)", &insert, problem);
  for (size_t k = 0; k < sizeof rows / sizeof *rows && ok; k++) {
    char value[32];
    snprintf(value, sizeof value, k == 1 ? "%.7g" : "%.9g", rows[k].value);
    sqlite3_bind_text(insert, 1, rows[k].key, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, value, -1, SQLITE_TRANSIENT);
    ok = run(database, insert, problem);
  }
  sqlite3_finalize(insert);
  return ok;
}

/* FNV-1a: JuPedSim only compares the hashes of one file. */
static int64_t hash_text(const char *text) {
  uint64_t hash = UINT64_C(0xCBF29CE484222325);
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
  return (int64_t)hash;
}

static bool add_geometry(trajectory_database *database, const char *wkt, bench_problem *problem) {
  sqlite3_stmt *insert;
  database->geometry = hash_text(wkt);
  bool ok = prepare(database, "INSERT INTO geometry VALUES(?, ?)", &insert, problem);
  if (ok) {
    sqlite3_bind_int64(insert, 1, database->geometry);
    sqlite3_bind_text(insert, 2, wkt, -1, SQLITE_STATIC);
    ok = run(database, insert, problem);
  }
  sqlite3_finalize(insert);
  return ok;
}

trajectory_database *trajectory_database_begin(const char *file, const char *path, double rate,
                                               const walkable_area *area, bench_problem *problem) {
  trajectory_database *database = calloc(1, sizeof *database);
  if (!database) {
    problem_set(problem, "out of memory");
    return NULL;
  }
  database->path = path;
  remove(file);
  char name[TEMPORARY_PATH_SIZE + 2]; /* SQLite takes a name that begins with "file:" for an address */
  snprintf(name, sizeof name, "%s%s", file[0] == '/' ? "" : "./", file);
  bool ok = sqlite3_open(name, &database->connection) == SQLITE_OK || refuse(database, problem);
  ok = ok && (sqlite3_exec(database->connection, tables, NULL, NULL, NULL) == SQLITE_OK || refuse(database, problem));
  ok = ok && add_metadata(database, rate, area, problem) && add_geometry(database, area->wkt, problem) &&
       prepare(database, "INSERT INTO frame_data VALUES(?, ?)", &database->frame, problem) &&
       prepare(database, "INSERT INTO trajectory_data VALUES(?, ?, ?, ?, ?, ?)", &database->agent, problem);
  if (ok) return database;
  trajectory_database_end(database, false, problem);
  return NULL;
}

bool trajectory_database_add_frame(trajectory_database *database, uint32_t frame, bench_problem *problem) {
  sqlite3_bind_int64(database->frame, 1, frame);
  sqlite3_bind_int64(database->frame, 2, database->geometry);
  return run(database, database->frame, problem);
}

bool trajectory_database_add_agent(trajectory_database *database, uint32_t frame, uint64_t id, const double position[2],
                                   const double facing[2], bench_problem *problem) {
  sqlite3_bind_int64(database->agent, 1, frame);
  sqlite3_bind_int64(database->agent, 2, (int64_t)id);
  for (int k = 0; k < 2; k++) {
    sqlite3_bind_double(database->agent, 3 + k, position[k]);
    sqlite3_bind_double(database->agent, 5 + k, facing[k]);
  }
  return run(database, database->agent, problem);
}

bool trajectory_database_end(trajectory_database *database, bool ok, bench_problem *problem) {
  sqlite3_finalize(database->frame);
  sqlite3_finalize(database->agent);
  if (ok) ok = sqlite3_exec(database->connection, "COMMIT", NULL, NULL, NULL) == SQLITE_OK || refuse(database, problem);
  sqlite3_close(database->connection);
  free(database);
  return ok;
}
#else
bool trajectory_database_check(bench_problem *problem) {
  return problem_set(problem, "option '--trajectories': this build cannot write .sqlite: SQLite was missing (Debian: "
                              "libsqlite3-dev)");
}

trajectory_database *trajectory_database_begin(const char *file, const char *path, double rate,
                                               const walkable_area *area, bench_problem *problem) {
  (void)file, (void)path, (void)rate, (void)area;
  trajectory_database_check(problem);
  return NULL;
}

bool trajectory_database_add_frame(trajectory_database *database, uint32_t frame, bench_problem *problem) {
  (void)database, (void)frame;
  return trajectory_database_check(problem);
}

bool trajectory_database_add_agent(trajectory_database *database, uint32_t frame, uint64_t id, const double position[2],
                                   const double facing[2], bench_problem *problem) {
  (void)database, (void)frame, (void)id, (void)position, (void)facing;
  return trajectory_database_check(problem);
}

bool trajectory_database_end(trajectory_database *database, bool ok, bench_problem *problem) {
  (void)database, (void)ok;
  return trajectory_database_check(problem);
}
#endif
