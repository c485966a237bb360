"""Describes the machine on which a command of bench/ measures.

SPDX-License-Identifier: MIT
"""
import datetime
import os
import pathlib
import platform
import re

from measure.programs import NO_AGENTS, ROOT, commit_of, output_of

GOVERNOR = pathlib.Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
SHOWN = r"Socket\(s\)|Core\(s\) per socket|Thread\(s\) per core|CPU max MHz|Hypervisor vendor|L[1-4].* cache"


def logical_cpus():
    """Returns the numbers of the logical CPUs on which this process may run."""
    return sorted(os.sched_getaffinity(0))


def doubled(most):
    """Returns 1, 2, 4, ... up to `most`, and `most` itself."""
    return [1 << k for k in range(most.bit_length()) if 1 << k < most] + [most]


def cpu_fields():
    """Returns the fields of lscpu: [(name, text)]."""
    return re.findall(r"^([^:]+): +(.*)$", output_of("lscpu"), re.MULTILINE)


def cpu_name():
    """Returns the processor's name, or its architecture. lscpu knows more names than Linux reports itself."""
    return dict(cpu_fields()).get("Model name") or platform.machine()


def printed_cpu_name(run, folder):
    """Returns the processor's name as throng-run prints it. `folder` is for throng-run's files."""
    found = re.search(r"^on (.+)$", output_of(run, *NO_AGENTS, "--out", folder), re.MULTILINE)
    return found[1] if found else cpu_name()


def short_name(cpu):
    """Shortens a processor's name: removes trade marks, the clock and words that every name has."""
    for word in (r"\([A-Za-z]*\)", r" @ .*", r" CPU\b", r" [0-9]*-Core Processor"):
        cpu = re.sub(word, "", cpu)
    return re.sub(" +", " ", cpu).rstrip()


def folder_name(cpu):
    return re.sub("[^a-z0-9]+", "-", short_name(cpu).lower()).strip("-")


def source(run):
    """Returns version and commit of throng, and the compiler."""
    version = output_of(run, "--version")
    throng = re.sub("^throng-run", "throng", version.partition("\n")[0]) + commit_of(ROOT)
    compiler = re.search("^compiled by (.*)$", version, re.MULTILINE)
    return throng, compiler[1] if compiler else ""


def system():
    names = " ".join((platform.system(), platform.release(), platform.machine()))
    release = pathlib.Path("/etc/os-release")
    pretty = release.exists() and re.search('^PRETTY_NAME="(.*)"', release.read_text(), re.MULTILINE)
    return f"{names}, {pretty[1]}" if pretty else names


def describe(command, run, cpu):
    """Returns the text of machine.txt: the command, the build of throng and the machine."""
    throng, compiler = source(run)
    now = datetime.datetime.now(datetime.timezone.utc)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    lines = [
        ("command", command),
        ("date", now.strftime("%Y-%m-%dT%H:%MZ")),
        ("source", throng),
        ("compiler", compiler),
        ("cpu", cpu),
        ("cores", f"{len(logical_cpus())} to run on"),
        *(("", f"{name}: {text}") for name, text in cpu_fields() if re.fullmatch(SHOWN, name)),
        ("memory", f"{memory / 2 ** 30:.1f} GiB"),
        ("system", system()),
        ("governor", GOVERNOR.read_text().strip() if os.access(GOVERNOR, os.R_OK) else "not to be read"),
    ]
    return "".join(f"{name:<10} {text}\n" for name, text in lines)
