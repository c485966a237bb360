#!/usr/bin/env python3
"""Connects two network namespaces by a line that delays each packet by 20 ms and loses 1 % of them.

usage: lossy_link.py NAMESPACE NAMESPACE     their addresses on the line are 10.117.0.1 and 10.117.0.2

Prints "ready" once the line works. On SIGTERM it prints how many packets it carried and lost. Needs root. The kernel's
own netem does the same, but many kernels are built without it.
SPDX-License-Identifier: MIT"""
import collections
import fcntl
import os
import random
import select
import signal
import struct
import subprocess
import sys
import time

DELAY = 0.020  # seconds, each way
LOSS = 0.01
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000


def end_in(namespace, number):
    """Makes the line's end in a namespace. Returns the file with its packets."""
    name = f"throng{os.getpid()}"
    end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    subprocess.run(["ip", "link", "set", name, "netns", namespace], check=True)
    for command in (["link", "set", name, "name", "line"], ["addr", "add", f"10.117.0.{number}/24", "dev", "line"],
                    ["link", "set", "line", "up"], ["link", "set", "lo", "up"]):
        subprocess.run(["ip", "-n", namespace, *command], check=True)
    return end


def main(namespaces):
    ends = [end_in(namespace, k + 1) for k, namespace in enumerate(namespaces)]
    random.seed(20)
    waiting = collections.deque()  # (when it arrives, end, packet)
    carried = lost = 0
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    print("ready", flush=True)
    while not stopped:
        pause = max(0.0, waiting[0][0] - time.monotonic()) if waiting else 0.1
        for end in select.select(ends, [], [], pause)[0]:
            packet = os.read(end, 65536)
            if random.random() < LOSS:
                lost += 1
            else:
                waiting.append((time.monotonic() + DELAY, ends[1 - ends.index(end)], packet))
        while waiting and waiting[0][0] <= time.monotonic():
            _, end, packet = waiting.popleft()
            os.write(end, packet)
            carried += 1
    print(f"carried {carried}, lost {lost}", flush=True)


main(sys.argv[1:])
