"""The rows of tests/run: each builds throng in its own way and runs tests on it. See the usage in tests/run.

SPDX-License-Identifier: MIT
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

from progress import Screen, ctest_failure, ctest_state, ninja_state, tail

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
LOGS = BUILD / "logs"

# Every build needs these packages. The others allow more tests.
REQUIRED = "build-essential cmake ninja-build".split()
BASE = "pkg-config libsimde-dev libcmocka-dev libcjson-dev libcairo2-dev libsqlite3-dev".split()
MPI = "libopenmpi-dev openmpi-bin libtrilinos-zoltan-dev".split()
NO_PACKAGE = ["-DTHRONG_TEST_PACKAGE=OFF", "-DTHRONG_BUILD_WEB=OFF"]
ALL_CHECKS = "-DCMAKE_C_FLAGS=-fsanitize=address,undefined -fno-sanitize-recover=all"
ASAN = f"{ALL_CHECKS} -fno-sanitize=pointer-overflow"


class Failed(Exception):
    """Raised if a row cannot continue. The failure was already printed and counted."""


class Job:
    """One run of tests/run: its arguments and its results so far."""

    def __init__(self, mode, names):
        self.mode, self.names = mode, names
        self.screen = Screen()
        LOGS.mkdir(parents=True, exist_ok=True)
        self.environment = dict(os.environ)
        self.strict = bool(os.environ.get("CI")) and mode != "run"  # a missing tool is a failure
        if not self.strict:
            self.environment.pop("CI", None)
        # Archer reports libomp's synchronisation to the thread sanitizer, because libomp itself is not instrumented.
        self.environment["TSAN_OPTIONS"] = "ignore_noninstrumented_modules=1"
        leaks = ROOT / "tests/toolchains/leaks.supp"
        self.environment["LSAN_OPTIONS"] = f"suppressions={leaks}:print_suppressions=0"
        self.rows = []  # (what, result, seconds)
        self.skipped = {}  # {what was skipped: why}
        self.failed = []  # (what failed, where its output is)
        self.slow = []  # (seconds, test) for each test of the release build
        self.counts = dict.fromkeys(("passed", "failed", "skipped"), 0)

    def count(self, what, seconds, passed=0, failed=0, skipped=0):
        for name, number in (("passed", passed), ("failed", failed), ("skipped", skipped)):
            self.counts[name] += number
        numbers = ((passed, "passed"), (failed, "FAILED"), (skipped, "skipped"))
        self.rows.append((what, ", ".join(f"{number} {name}" for number, name in numbers if number) or "-", seconds))

    def run(self, what, command, **options):
        """Runs a step and returns its output. If it fails, raises Failed."""
        log = LOGS / (re.sub(r"\W+", "-", what) + ".log")
        status, output, seconds = self.screen.run(what, command, log, self.environment, **options)
        if status != 0:
            failures = re.findall(r"^FAILED: .*?(?=^\[|\Z)", output, re.MULTILINE | re.DOTALL)
            self.screen.say(tail("".join(failures[:3]) or output))
            self.screen.say(f"FAILED: {what}: {' '.join(map(str, command))[:200]} (all of its output: {log})")
            self.failed.append((what, log))
            self.count(what, seconds, failed=1)
            raise Failed
        self.rows.append((what, "done", seconds))
        return output

    def build(self, row, preset, *options, targets=()):
        """Configures and builds build/ROW. `targets` is called after configuring and returns the targets to build."""
        folder = BUILD / row
        output = self.run(f"{row}: configure", ["cmake", "--preset", preset, "-B", folder, *options])
        for part, packages, other in re.findall(r"throng: left out: (.*?): (?:missing \(Debian: (.*)\)|(.*))", output):
            self.skipped[part] = f"needs {packages or other}"
        wanted = targets() if targets else []
        command = ["cmake", "--build", folder, "-j", os.cpu_count(), *(["--target", *wanted] if wanted else [])]
        self.run(f"{row}: build", command, state=ninja_state)

    def check(self, row, *select, label="tests", **environment):
        """Runs the tests of build/ROW, with more environment variables, and counts them."""
        results = BUILD / row / "results.xml"
        results.unlink(missing_ok=True)
        command = ["ctest", "--test-dir", BUILD / row, "-j", os.cpu_count(), "--output-on-failure", "--no-tests=error",
                   "--output-junit", results, *select]
        status, output, seconds = self.screen.run(f"{row}: {label}", command, LOGS / f"{row}-{label}.log",
                                                  self.environment | environment, state=ctest_state,
                                                  shown=ctest_failure)
        passed = failed = skipped = 0
        cases = xml.etree.ElementTree.parse(results).findall("testcase") if results.exists() else []
        for case in cases:
            text = case.findtext("system-out") or ""
            note = case.find("skipped")
            if case.get("status") == "run":
                passed += 1
                if row == "release":
                    self.slow.append((float(case.get("time")), case.get("name")))
            elif note is not None and note.get("message", "").startswith("SKIP"):
                skipped += 1
                self.skipped[case.get("name")] = text.strip().split("\n")[-1]
            else:
                failed += 1
                self.failed.append((f"{row}: {case.get('name')}", LOGS / f"{row}-{label}.log"))
                self.screen.say(f"{row}: {case.get('name')} says:\n{tail(text)}")
        if status != 0 and failed == 0:
            self.screen.say(tail(output))
            self.failed.append((f"{row}: {label}", LOGS / f"{row}-{label}.log"))
            failed = 1
        self.count(f"{row}: {label}", seconds, passed, failed, skipped)

    def lacks(self, row, *needs):
        """Whether a row lacks one of the programs in `needs` (PROGRAM:PACKAGE). If so, prints and counts that."""
        for program, _, package in (need.partition(":") for need in needs):
            if shutil.which(program) is None and not pathlib.Path("/" + program).exists():
                self.skipped[row] = f"{program} is missing (Debian: {package})"
                self.screen.step(f"{row}: {self.skipped[row]}")
                self.count(row, 0, failed=int(self.strict), skipped=int(not self.strict))
                return True
        return False


def targets_of(folder, names):
    """Returns the targets that these tests need: each built file that their commands and environments name."""
    command = ["ninja", "-C", folder, "-t", "targets", "all"]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    known = {line.rpartition(": ")[0] for line in listing.splitlines()}
    targets = set()
    for file in folder.rglob("CTestTestfile.cmake"):
        for line in file.read_text().splitlines():
            head = re.match(r'(?:add_test|set_tests_properties)\((?:\[=*\[)?"?([^\s"\]]+)', line)
            if not head or head[1] not in names:
                continue
            for word in re.split(r"[;=]", ";".join(re.findall(r'"((?:[^"\\]|\\.)*)"', line))):
                path = os.path.relpath(word, folder) if word.startswith(f"{folder}/") else ""
                if path in known:
                    targets.add(path)
                elif word == str(folder):
                    targets.add("throng")  # the test installs this build
    return sorted(targets)


def mpi(job):
    """Returns the option that builds libthrong-mpi, where there is MPI."""
    if shutil.which("mpicc") and shutil.which("mpirun"):
        return ["-DTHRONG_BUILD_MPI=ON"]
    job.skipped["libthrong-mpi"] = f"needs {' '.join(MPI)}"
    if job.strict:
        job.failed.append(("libthrong-mpi", job.skipped["libthrong-mpi"]))
        job.count("libthrong-mpi", 0, failed=1)
    return ["-DTHRONG_BUILD_MPI=OFF"]


def release(job):
    folder = BUILD / "release"
    select = {"run": ["-LE", "^(ci|long)$"], "ci": ["-LE", "^long$"], "all": []}[job.mode]
    if job.names and job.mode == "run":
        stems = [re.sub(r"^test_|\.c$", "", name.rpartition("/")[2]) for name in job.names]
        select = ["-R", "|".join(f"({stem})" for stem in stems)]
    names = []

    def targets():
        listing = subprocess.run(["ctest", "--test-dir", folder, "-N", *select], capture_output=True, text=True)
        names.extend(re.findall(r"^  Test +#\d+: (\S+)", listing.stdout, re.MULTILINE))
        if not names:
            told = "".join(f"\n  {part}: {why}" for part, why in job.skipped.items())
            told = told and "\nleft out here:" + told
            sys.exit(f"no test matches {' '.join(job.names)}; ctest --test-dir build/release -N lists them{told}")
        return targets_of(folder, names) if job.mode == "run" else []

    long, quick = ("ON" if wanted else "OFF" for wanted in (job.mode == "all", job.mode == "run"))
    # Elsewhere the system's headers may warn, for example MinGW's isfinite.
    warnings = [] if sys.platform == "linux" else ["-DTHRONG_WERROR=OFF"]
    job.build("release", "release", f"-DTHRONG_TEST_LONG={long}", f"-DTHRONG_TEST_QUICK={quick}", *warnings,
              *mpi(job), targets=targets)
    job.check("release", *select)


def asan(job):
    """Builds the kernel for the baseline only (the row fuzz uses a wider instruction set), without checks of pointer
    arithmetic. These would double the build's time, and the address sanitizer finds the bad accesses that result from
    bad pointers."""
    job.build("asan", "asan", "-DTHRONG_TEST_QUICK=ON", "-DTHRONG_ISA_TABLES=baseline", ASAN, *mpi(job))
    job.check("asan")


def asan_all(job):
    """Runs all tests with all instruction sets. Tests that let throng choose take the best of this CPU, so those that
    cover every pass run again with each lower one. Compiles with Clang: GCC's address sanitizer does not see what
    masked instructions load and store, and its checks of pointers miss null + 0. Checks as calls compile soonest."""
    job.build("asan-all", "asan", "-DTHRONG_TEST_QUICK=ON", "-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++",
              f"{ALL_CHECKS} -mllvm -asan-instrumentation-with-call-threshold=0", *mpi(job))
    job.check("asan-all")
    for lower in ("avx2", "baseline"):
        probe = [BUILD / "asan-all/tests/test_golden", "--isa", lower, "--frames", "12", "--threads", "1-1"]
        if subprocess.run(probe, capture_output=True).returncode != 77:
            job.check("asan-all", "-R", "^(reference_a|reference_b|scenes)$", label=lower, THRONG_ISA=lower)


def suite(row, preset, *options):
    """Returns the function of a row that builds everything and runs all tests."""

    def run(job):
        job.build(row, preset, *options)
        job.check(row)

    return run


def table(job, row, command):
    """Runs a script that prints a line per check. The line ends in same, skipped: WHY or FAILED: WHY."""
    log = LOGS / f"{row}.log"
    status, output, seconds = job.screen.run(row, command, log, job.environment, shown=lambda line: True)
    results = re.findall(r"^(\S+) .*?  (same|skipped|FAILED)\b(?:: )?(.*)$", output, re.MULTILINE)
    kinds = [kind for _, kind, _ in results]
    failures = [(f"{row}: {name}", why) for name, kind, why in results if kind == "FAILED"]
    failures = failures or ([(row, log)] if status != 0 else [])
    job.failed.extend(failures)
    job.count(row, seconds, kinds.count("same"), len(failures), kinds.count("skipped"))
    job.skipped.update((f"{row}: {name}", why) for name, kind, why in results if kind == "skipped")


def determinism(job):
    command = ["tests/determinism"] + ([] if job.mode == "all" else ["--quick"])
    for option in ("release", "clang"):
        if (BUILD / option / "tests/test_golden").exists():
            command += [f"--{option}", BUILD / option]
    table(job, "determinism", command)


def windows(job):
    hello = BUILD / "release/examples/example_hello"
    if not hello.exists():
        job.build("release", "release", targets=lambda: ["example_hello"])
    table(job, "windows", ["tests/windows", hello])


def coverage(job):
    """Checks that the tests run at least 95 % of the lines of kernel/, and 85 % of the branches outside passes/ and
    lanes/. Branches of the vector passes are not counted: each variant is compiled with constant arguments, so most of
    its branches can never be taken."""
    job.build("coverage", "coverage")
    for counts in (BUILD / "coverage").rglob("*.gcda"):
        counts.unlink()
    job.check("coverage")
    report = ["gcovr", "--root", ROOT, "--filter", "kernel/"]
    plain = ["--branches", "--exclude", "kernel/passes/", "--exclude", "kernel/lanes/", "--fail-under-branch", "85"]
    for name, options in (("branches", plain), ("lines", ["--fail-under-line", "95"])):
        job.screen.say(job.run(f"coverage: {name}", [*report, *options, BUILD / "coverage"]))
        job.count(f"coverage: {name}", 0, passed=1)


def memcheck(job):
    """Runs the golden program in valgrind, with AVX2 and the baseline: valgrind hides AVX-512. Memory that libgomp
    keeps is still reachable, which is not an error."""
    job.run("memcheck", ["valgrind", "--quiet", "--error-exitcode=1", "--leak-check=full",
                         "--show-leak-kinds=definite,indirect", "--errors-for-leak-kinds=definite,indirect",
                         BUILD / "release/tests/test_golden", "--frames", "12", "--threads", "1"])
    job.count("memcheck: golden", 0, passed=1)


class Row:
    """A row: the modes in which it runs, the packages it needs besides BASE, and the programs without which it is
    skipped."""

    def __init__(self, name, modes, run, packages="", needs=()):
        self.name, self.modes, self.run = name, modes.split(), run
        self.packages, self.needs = packages.split(), needs


# Packages for what the release build of --ci also tests: packages, web page, viewer, movies, benchmarks, Python.
MORE = """gnuplot-nox librecast-dev libnanoflann-dev libbenchmark-dev locales abigail-tools libglfw3-dev libepoxy-dev
    libcglm-dev xvfb xauth xdotool libgl1-mesa-dri clang lld wasi-libc libclang-rt-dev-wasm32 nodejs chromium ffmpeg
    dpkg-dev file doxygen python3-numpy python3-matplotlib universal-ctags valgrind iproute2 yamllint
    """ + " ".join(MPI)
CLANG = "clang libomp-dev libclang-rt-dev"
LEVELS = [suite(f"release-O{level}", "release", f"-DCMAKE_C_FLAGS_RELEASE=-O{level} -DNDEBUG", *NO_PACKAGE)
          for level in (1, 2)]
ROWS = [
    Row("release", "run", release),
    Row("release", "ci all", release, MORE),
    Row("asan", "ci", asan, " ".join(MPI)),
    Row("asan-all", "all", asan_all, f"{CLANG} {' '.join(MPI)}", ["clang:clang"]),
    Row("clang", "ci", suite("clang", "clang", "-DTHRONG_TEST_QUICK=ON", *NO_PACKAGE), CLANG, ["clang:clang"]),
    Row("clang", "all", suite("clang", "clang"), CLANG, ["clang:clang"]),
    Row("fuzz", "ci all", suite("fuzz", "fuzz"), CLANG, ["clang:clang"]),
    Row("determinism", "ci all", determinism,
        "gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user lld wasi-libc libclang-rt-dev-wasm32 nodejs"),
    Row("windows", "ci all", windows, "gcc-mingw-w64-x86-64-win32 wine64",
        ["x86_64-w64-mingw32-gcc:gcc-mingw-w64-x86-64-win32", "usr/lib/wine/wine64:wine64"]),
    Row("coverage", "ci all", coverage, "gcovr", ["gcovr:gcovr"]),
    Row("tsan", "all", suite("tsan", "tsan"), CLANG, ["clang:clang"]),
    Row("release-O1", "all", LEVELS[0]),
    Row("release-O2", "all", LEVELS[1]),
    Row("no-simd", "all", suite("no-simd", "release", "-DTHRONG_SIMD=OFF", *NO_PACKAGE)),
    Row("no-openmp", "all", suite("no-openmp", "release", "-DTHRONG_OPENMP=OFF", *NO_PACKAGE)),
    Row("hardened", "all", suite("hardened", "release", "-DTHRONG_HARDENED=ON", *NO_PACKAGE)),
    Row("shared", "all", suite("shared", "release", "-DBUILD_SHARED_LIBS=ON", "-DTHRONG_BUILD_WEB=OFF")),
    Row("memcheck", "all", memcheck, "valgrind", ["valgrind:valgrind"]),
]
def install(job, rows):
    packages = REQUIRED + BASE + [name for row in rows for name in row.packages]
    command = [ROOT / "bench/install-packages", "--optional", *dict.fromkeys(packages)]
    _, _, seconds = job.screen.run("packages", command, LOGS / "packages.log", job.environment, shown=lambda line: True)
    job.rows.append(("packages", "done", seconds))
    for program in ("cc", "cmake", "ninja"):
        if not shutil.which(program):
            sys.exit(f"{program} is missing (Debian: {', '.join(REQUIRED)})")


def summarise(job, rows):
    left = [row.name for row in ROWS if "ci" not in row.modes] if job.mode == "ci" and not job.names else []
    print("\nrow                       result                            seconds")
    for what, result, seconds in job.rows:
        print(f"{what:<25} {result:<33} {seconds:7.0f}")
    if job.mode == "run" and not job.names and job.slow:
        print("slowest tests: " + ", ".join(f"{name} {seconds:.0f} s" for seconds, name in sorted(job.slow)[:-6:-1]))
    if job.skipped:
        print("not tested here:")
        for what, why in job.skipped.items():
            print(f"  {what}: {why}")
    for what, where in job.failed:
        print(f"FAILED: {what} ({where})")
    if left:
        print("left for tests/run --all: " + ", ".join(left))
    seconds = int(time.monotonic() - job.screen.begin)
    skipped = f", {job.counts['skipped']} skipped" if job.counts["skipped"] else ""
    print(f"{seconds // 60} min {seconds % 60} s")
    print(f"{job.counts['passed']} passed, {job.counts['failed']} failed{skipped}", flush=True)


def main(arguments):
    mode = {"--ci": "ci", "--all": "all"}.get(arguments[0] if arguments else "", "run")
    names = arguments if mode == "run" else arguments[1:]
    if any(name.startswith("-") for name in names):
        sys.exit("usage: tests/run [NAME...] | --ci [ROW...] | --all [ROW...]")
    os.chdir(ROOT)
    rows = [row for row in ROWS if mode in row.modes]
    if mode != "run" and names:
        known = [row.name for row in rows]
        unknown = [name for name in names if name not in known]
        if unknown:
            sys.exit(f"no row is called {' '.join(unknown)}; there are: {' '.join(known)}")
        rows = [row for row in rows if row.name in names]
    job = Job(mode, names)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM stops the running step, too
    try:
        install(job, rows)
        for row in rows:
            try:
                if not job.lacks(row.name, *row.needs):
                    row.run(job)
            except Failed:
                pass
    except KeyboardInterrupt:
        job.screen.say("stopped")
        job.count("stopped", 0, failed=1)
    summarise(job, rows)
    sys.exit(job.counts["failed"] > 0)


if __name__ == "__main__":
    main(sys.argv[1:])
