"""A GPU: its driver, its memory, and arrays in it that other libraries use without a copy."""

from __future__ import annotations

import ctypes
from array import array
from math import prod
from pathlib import Path
from typing import Any, Final

from valletta_rules import native

LIBRARY: Final = "libcuda.so.1"
"""The driver."""

KERNELS: Final = Path(__file__).with_name("cuda.ptx")
"""The kernels, which are built with the package if the environment variable VALLETTA_CUDA is 1."""

DRIVER, CAPABILITY = 11_000, 8
"""The least version of the driver, and the least compute capability."""

DEVICE_TYPE: Final = 2
"""The number of GPU memory in DLPack."""

STACK, DEEP_STACK = 8 << 10, 32 << 10
"""The bytes of stack that a thread needs in a batch, and in rollouts."""

_OUT_OF_MEMORY, _MAJOR, _STACK_SIZE, _SHARED_SIZE, _UNTIMED = 2, 75, 0, 8, 2
_SIZES: Final = (
    *("call", "course", "start", "flags", "game", "answer", "row", "steps", "fault", "players"),
    *("described", "trouble", "sum", "keys"),
)
_POINTERS: Final = (
    *("course", "described", "game", "last", "trouble", "keys", "starts", "rank", "order"),
    *("given", "wanted", "into"),
)
KINDS: Final = {"q": "i8", "Q": "u8", "h": "i2", "B": "u1", "b": "i1", "f": "f4", "i": "i4"}
"""The type of an item, and how many bytes it has, by the letter of `array.array`."""

_CODES: Final = {"i": 0, "u": 1, "f": 2}
_DLTENSOR: Final = b"dltensor"  # the capsule keeps its address

_pointer = ctypes.c_void_p
_size = ctypes.c_size_t


class CudaError(RuntimeError):
    """There is no GPU to play on, or its driver reports an error."""


class _Call(ctypes.Structure):
    """The argument of a kernel."""

    _fields_ = (
        *[(name, _pointer) for name in _POINTERS],
        *[(name, ctypes.c_uint64) for name in ("seed", "games", "views", "threads")],
    )


class Card:
    """A GPU whose driver has loaded the kernels, in the context that all libraries share."""

    def __init__(self, number: int) -> None:
        """Load driver and kernels for a GPU, by its number; raise `CudaError` if that fails."""
        if native.why_not is not None:
            raise CudaError(native.why_not)
        if not KERNELS.is_file():
            raise CudaError("valletta-rules was built without kernels for a GPU: VALLETTA_CUDA=1")
        try:
            self._driver = ctypes.CDLL(LIBRARY)
        except OSError as reason:
            raise CudaError(f"there is no driver of CUDA: {reason}") from None
        self.number, self._context, self._module = number, _pointer(), _pointer()
        self._kernels: dict[str, ctypes.c_void_p] = {}
        self._enter()
        self.call("cuModuleLoadData", ctypes.byref(self._module), KERNELS.read_bytes() + b"\0")
        self.sizes = self._ask()

    def _enter(self) -> None:
        """Retain the primary context; raise `CudaError` if driver or GPU are too old."""
        version, handle, major = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        name = ctypes.create_string_buffer(100)
        self._checked("cuInit", 0)
        self._checked("cuDriverGetVersion", ctypes.byref(version))
        if version.value < DRIVER:
            raise CudaError(
                f"the driver supports CUDA {version.value // 1000}, and {DRIVER // 1000} is needed"
            )
        self._checked("cuDeviceGet", ctypes.byref(handle), self.number)
        self._checked("cuDeviceGetAttribute", ctypes.byref(major), _MAJOR, handle)
        if major.value < CAPABILITY:
            raise CudaError(
                f"the GPU has compute capability {major.value}, and {CAPABILITY} is needed"
            )
        self._checked("cuDeviceGetName", name, len(name), handle)
        self.name = (
            f"{name.value.decode()}, CUDA {version.value // 1000}.{version.value % 1000 // 10}"
        )
        self._checked("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), handle)

    def _ask(self) -> dict[str, int]:
        """Return sizes of types, and offsets of fields, in bytes, from the kernels."""
        memory = Memory(self, 4 * len(_SIZES))
        self.launch("sizes", 1, 0, into=memory.address)
        told = array("i", bytes(self.read(memory.address, memory.size, 0)))
        sizes = dict(zip(_SIZES, told, strict=True))
        if sizes["call"] != ctypes.sizeof(_Call):
            raise CudaError("the kernels are of another version of valletta-rules")
        return sizes

    def _checked(self, name: str, *given: Any) -> None:
        code = getattr(self._driver, name)(*given)
        if code == _OUT_OF_MEMORY:
            raise MemoryError("the memory of the GPU does not suffice")
        if code:
            words = ctypes.c_char_p()
            self._driver.cuGetErrorString(code, ctypes.byref(words))
            raise CudaError(f"{name}: {(words.value or b'unknown error').decode()}")

    def call(self, name: str, *given: Any) -> None:
        """Call a function of the driver in the context; raise `CudaError` if it fails."""
        self._checked("cuCtxPushCurrent_v2", self._context)
        try:
            self._checked(name, *given)
        finally:
            self._checked("cuCtxPopCurrent_v2", ctypes.byref(_pointer()))

    def kernel(self, name: str) -> ctypes.c_void_p:
        """Return the kernel with a name."""
        if name not in self._kernels:
            found = _pointer()
            place = ctypes.byref(found)
            self.call("cuModuleGetFunction", place, self._module, f"gpu_{name}".encode())
            self._kernels[name] = found
        return self._kernels[name]

    def launch(
        self, name: str, threads: int, stream: int, block: int = 64, shared: int = 0, **given: int
    ) -> None:
        """Queue a kernel in a stream: its threads, those of a block, and the bytes these share."""
        call = _Call(threads=threads, **given)
        passed = (_pointer * 1)(ctypes.addressof(call))
        size = (-(-threads // block), 1, 1, block, 1, 1, shared)
        self.call("cuLaunchKernel", self.kernel(name), *size, _pointer(stream), passed, None)

    def share(self, name: str, size: int) -> None:
        """Allow a kernel `size` bytes of memory that a block shares."""
        self.call("cuFuncSetAttribute", self.kernel(name), _SHARED_SIZE, size)

    def need_stack(self, size: int) -> None:
        """Raise the stack of each thread to `size` bytes, unless it is larger."""
        known = _size()
        self.call("cuCtxGetLimit", ctypes.byref(known), _STACK_SIZE)
        if known.value < size:
            self.call("cuCtxSetLimit", _STACK_SIZE, _size(size))

    def free(self) -> int:
        """Return how many bytes of memory are free."""
        free, total = _size(), _size()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value

    def clear(self, address: int, size: int, stream: int) -> None:
        """Queue in a stream that memory is set to zero."""
        self.call("cuMemsetD8Async", _pointer(address), 0, _size(size), _pointer(stream))

    def write(self, address: int, given: bytes, stream: int) -> None:
        """Copy bytes to the GPU, and synchronise the stream."""
        size = _size(len(given))
        self.call("cuMemcpyHtoDAsync_v2", _pointer(address), given, size, _pointer(stream))
        self.call("cuStreamSynchronize", _pointer(stream))

    def read(self, address: int, size: int, stream: int) -> bytearray:
        """Synchronise a stream, and return a copy of `size` bytes of the GPU's memory."""
        into = bytearray(size)
        place = (ctypes.c_char * size).from_buffer(into)
        self.call("cuMemcpyDtoHAsync_v2", place, _pointer(address), _size(size), _pointer(stream))
        self.call("cuStreamSynchronize", _pointer(stream))
        return into

    def wait(self, waiting: int, other: int) -> None:
        """Let a stream wait for the work that is queued in another one."""
        if (waiting or 1) == (other or 1):  # two names of the default stream
            return
        event = _pointer()
        self.call("cuEventCreate", ctypes.byref(event), _UNTIMED)
        self.call("cuEventRecord", event, _pointer(other))
        self.call("cuStreamWaitEvent", _pointer(waiting), event, 0)
        self.call("cuEventDestroy_v2", event)


class Memory:
    """Memory of a GPU, zeroed, and freed with the last reference to it."""

    address = 0

    def __init__(self, card: Card, size: int) -> None:
        """Allocate `size` bytes; raise `MemoryError` if they are not free."""
        place = _pointer()
        self.card, self.size = card, size
        card.call("cuMemAlloc_v2", ctypes.byref(place), _size(size))
        self.address = place.value or 0
        card.clear(self.address, size, 0)
        card.call("cuStreamSynchronize", _pointer(0))

    def __del__(self) -> None:
        if self.address:
            self.card.call("cuMemFree_v2", _pointer(self.address))


class Array:
    """An array in the memory of a GPU, which other libraries take over without a copy.

    ``torch.from_dlpack``, ``jax.dlpack.from_dlpack`` and ``cupy.from_dlpack`` share its memory.
    Their stream waits for the work that is queued in the array's ``stream``.  The array also has
    ``__cuda_array_interface__``.
    """

    def __init__(
        self, memory: Memory, address: int, shape: tuple[int, ...], letter: str, stream: int = 0
    ) -> None:
        """Describe an array: its memory, address, shape, type code of `array.array`, and stream."""
        self.memory, self.address, self.shape, self.letter = memory, address, shape, letter
        self.stream = stream

    @property
    def kind(self) -> str:
        """The type of an item and its bytes: i8, u1, f4 and so on."""
        return KINDS[self.letter]

    @property
    def nbytes(self) -> int:
        """How many bytes the array takes."""
        return prod(self.shape) * int(self.kind[1])

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": f"<{self.kind}",
            "data": (self.address, False),
            "strides": None,
            "stream": self.stream or 1,
            "version": 3,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return DEVICE_TYPE, self.memory.card.number

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Return a capsule with the array, for a consumer's stream; -1 means that it need not wait.

        Raises `BufferError` for a copy or another device, and `ValueError` for stream 0, which is
        ambiguous.
        """
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("the array is neither copied nor brought to another device")
        if stream == 0:
            raise ValueError("the stream is 1 for the default stream, or 2 for that of a thread")
        if stream != -1:
            self.memory.card.wait(stream or 1, self.stream)
        return _capsule(self)

    def to_host(self) -> Any:
        """Synchronise the stream, and return a copy in the memory of the host."""
        read = self.memory.card.read(self.address, self.nbytes, self.stream)
        whole: Any = memoryview(read)
        return whole.cast(self.letter, self.shape)


class _Managed(ctypes.Structure):
    """An array as DLPack describes it, with what releases it."""

    _fields_ = (
        ("data", _pointer),
        ("device_type", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", _pointer),
        ("strides", _pointer),
        ("offset", ctypes.c_uint64),
        ("context", _pointer),
        ("deleter", _pointer),
    )


_lent: dict[int, Any] = {}
"""The arrays that consumers share, by the address of their description."""


def _release(address: int) -> None:
    """Forget an array that its consumer has released."""
    _lent.pop(address, None)


def _drop(capsule: int) -> None:
    """Forget the array of a capsule that no consumer has used."""
    if ctypes.pythonapi.PyCapsule_IsValid(_pointer(capsule), _DLTENSOR):
        _release(_address_of(capsule, _DLTENSOR))


_released, _dropped = map(ctypes.CFUNCTYPE(None, _pointer), (_release, _drop))
_address_of = ctypes.PYFUNCTYPE(_pointer, _pointer, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, _pointer, ctypes.c_char_p, _pointer)(
    ("PyCapsule_New", ctypes.pythonapi)
)


def _capsule(array: Array) -> Any:
    """Return a capsule of DLPack that keeps an array alive."""
    shape = (ctypes.c_int64 * len(array.shape))(*array.shape)
    managed = _Managed(
        data=array.address,
        device_type=DEVICE_TYPE,
        device=array.memory.card.number,
        dimensions=len(shape),
        code=_CODES[array.kind[0]],
        bits=8 * int(array.kind[1]),
        lanes=1,
        shape=ctypes.addressof(shape),
        deleter=ctypes.cast(_released, _pointer).value,
    )
    address = ctypes.addressof(managed)
    _lent[address] = managed, shape, array
    return _new_capsule(address, _DLTENSOR, ctypes.cast(_dropped, _pointer))
