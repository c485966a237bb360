"""Records the frames of a world, and replays them elsewhere. SPDX-License-Identifier: MIT"""

import collections
import ctypes
from ctypes import byref, c_float, c_size_t, c_void_p

from .enums import Column, RecordDetail
from .errors import ThrongError, call
from .library import lib
from .structs import DifferenceStruct, RecordHook, ReplayStruct, WorldDef
from .structure import enumerator
from .world import World

Difference = collections.namedtuple("Difference", "frame agent column recorded replayed", module=__package__)

_WRITE = ctypes.CFUNCTYPE(ctypes.c_bool, c_void_p, c_size_t, c_void_p)


def _writer(file, failures):
    def write(data, size, _):
        try:
            return file.write(ctypes.string_at(data, size)) in (None, size)
        except BaseException as failure:  # it must not leave through C: the recorder raises it
            failures.append(failure)
            return False

    return write


class Recorder:
    """Records a world into `file`, which has a method write(bytes), such as open("run.throng", "wb") or io.BytesIO().

    Step the world with the recorder's step(). With detail="agents" a replay also names the first agent that differs.
    The recording is complete after every frame. Call close() at the end, or use `with`; the world's close() does it
    too. If write() raises an exception, step() raises it, and the world is as before the call."""

    __module__ = __package__

    def __init__(self, world, file, detail="frames"):
        self._world, self._handle, self._failures = world, None, []
        if not callable(getattr(file, "write", None)):
            raise TypeError(f"file is {file!r}, wanted: something with write(bytes), such as open(name, 'wb')")
        self._write = _WRITE(_writer(file, self._failures))
        hook, handle = RecordHook(ctypes.cast(self._write, c_void_p).value), c_void_p()
        self._call("throng_recorder_create", byref(hook), enumerator(RecordDetail, detail, "detail"), byref(handle))
        self._handle = handle
        world._recorders.add(handle.value)

    def _call(self, name, *arguments):
        self._failures.clear()
        try:
            self._world._change(name, *arguments, handle=self._handle)
        except ThrongError:
            if not self._failures:
                raise
        if self._failures:
            raise self._failures[0]

    def step(self, dt):
        """Steps the world as its own step() does, and records the frame."""
        if self._handle is None:
            raise ValueError("this recorder is closed")
        self._world._check_groups()
        self._call("throng_recorder_step", c_float(dt))

    def close(self):
        handle, self._handle = self._handle, None
        if handle is not None and handle.value in self._world._recorders:  # not destroyed by the world
            self._world._recorders.discard(handle.value)
            lib.throng_recorder_destroy(handle)

    def __del__(self):
        if getattr(self, "_handle", None) is not None:
            self.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Replay:
    """Repeats the frames of a recording, the bytes that a Recorder wrote, in `world`:

    replay = Replay(recording)
    while not replay.has_ended:
        difference = replay.step()

    Without a world it makes one, of the recorded definition and `fields`, such as thread_count. Callbacks are not
    recorded: `callbacks` has those of the recorded world, {index: function}."""

    __module__ = __package__

    def __init__(self, recording, world=None, callbacks=None, **fields):
        self._recording, self._state = bytes(recording), ReplayStruct()
        if world is None:
            definition = WorldDef()
            call("throng_replay_get_def", self._recording, c_size_t(len(self._recording)), byref(definition))
            world = World._from_definition(definition._set(**fields))
        self.world = world
        world._set_callbacks(callbacks)
        world._change("throng_replay_begin", world._world, self._recording, c_size_t(len(self._recording)),
                      handle=byref(self._state))
        world._unchecked.clear()

    @property
    def has_ended(self):
        return lib.throng_replay_has_ended(byref(self._state))

    def step(self):
        """Replays the next frame. Returns the first Difference from the recording, or None if the frame is as recorded.

        A difference has the frame, the agent's id (None if agents were not recorded), the column's name, and the
        hashes of that column."""
        found = DifferenceStruct()
        self.world._change("throng_replay_step", self.world._world, byref(found), handle=byref(self._state))
        if not found.differs:
            return None
        return Difference(found.frame, found.agent.element(), Column(found.column).name.lower(), found.recorded,
                          found.replayed)
