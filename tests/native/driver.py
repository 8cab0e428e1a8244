"""A mock of the CUDA driver: kernels run on the CPU, and device memory is host memory."""

import ctypes
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from valletta_rules.native import device

_libc = ctypes.CDLL(None)
_libc.malloc.restype = ctypes.c_void_p

NOTHING = (
    *("cuInit", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "cuCtxSetLimit"),
    *("cuEventCreate", "cuEventDestroy_v2"),
)
"""The driver functions that this mock implements as no-ops."""


class Driver:
    """A mock of the CUDA library that `valletta_rules.native.device` loads.

    Tests set its attributes to simulate an old driver, little memory, or a failure.  Streams are
    not simulated, but `waits` records the last wait: the waiting stream, and the stream that it
    waited for.
    """

    def __init__(self, kernels: Path) -> None:
        """Load the shared library at `kernels`, which contains kernels compiled for the CPU."""
        self._kernels = ctypes.CDLL(str(kernels))
        self.version, self.capability, self.memory, self.failure = 13_000, 9, 1 << 30, 0
        self.calls = Counter[str]()
        self.waits = 0, 0

    def __getattr__(self, name: str) -> Any:
        """Return the driver function called `name`."""
        return partial(self._call, name)

    def _call(self, name: str, *given: Any) -> int:
        """Count a call of the function `name`, run it, and return its CUDA error code (0 for
        success).
        """
        self.calls[name] += 1
        passed = [each.value if isinstance(each, ctypes.c_size_t) else each for each in given]
        if name in NOTHING:
            return 0
        work = self._use if name.startswith(("cuMem", "cuStream", "cuEvent")) else self._query
        return int(work(name, *passed) or 0)

    def _query(self, name: str, *given: Any) -> Any:
        """Run a driver function that concerns the device, a module or a kernel."""
        match name, given:
            case "cuDriverGetVersion", (version,):
                version._obj.value = self.version
            case "cuDeviceGet", (_, number):
                return 101 * number
            case "cuDeviceGetAttribute", (value, 75, _):
                value._obj.value = self.capability
            case "cuDeviceGetName", (text, size, _):
                ctypes.memmove(text, b"Processor", min(size, 10))
            case "cuDevicePrimaryCtxRetain", (context, _):
                context._obj.value = 1
            case "cuGetErrorString", (101, text):
                text._obj.value = b"invalid device ordinal"
            case "cuGetErrorString", _:
                pass
            case "cuModuleLoadData", (_, image):
                return not (image.startswith(b"//") and image.endswith(b"\0"))
            case "cuModuleGetFunction", (function, _, kernel):
                place = ctypes.cast(self._kernels[kernel.decode()], ctypes.c_void_p)
                function._obj.value = place.value
            case "cuCtxGetLimit", (value, 0):
                value._obj.value = 1024
            case "cuLaunchKernel", (kernel, x, 1, 1, block, 1, 1, _, _, passed, None):
                if device._Call.from_address(passed[0]).threads > x * block:
                    return 1
                ctypes.CFUNCTYPE(None, ctypes.c_void_p)(kernel)(passed[0])
            case _:
                raise AttributeError(name)
        return 0

    def _use(self, name: str, *given: Any) -> Any:
        """Run a driver function that concerns memory, streams or events."""
        match name, given:
            case "cuMemGetInfo_v2", (free, _):
                free._obj.value = self.memory
            case "cuMemAlloc_v2", (place, size):
                place._obj.value = _libc.malloc(ctypes.c_size_t(size))
                return 2 * (size > self.memory)
            case "cuMemFree_v2", (place,):
                _libc.free(ctypes.c_void_p(place))
            case "cuMemsetD8Async", (place, byte, size, _):
                ctypes.memset(place, byte, size)
            case "cuMemcpyHtoDAsync_v2" | "cuMemcpyDtoHAsync_v2", (to, source, size, _):
                ctypes.memmove(to, source, size)
            case "cuStreamSynchronize", (_,):
                return self.failure
            case "cuEventRecord", (_, stream):
                self.waits = 0, stream
            case "cuStreamWaitEvent", (stream, _, 0):
                self.waits = stream, self.waits[1]
            case _:
                raise AttributeError(name)
        return 0
