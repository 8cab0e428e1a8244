"""GPUs: the driver, the memory, and arrays that other libraries can use without copying them."""

from __future__ import annotations

import ctypes
import struct
from math import prod
from pathlib import Path
from typing import Any, Final

from valletta_rules import native

LIBRARY: Final = "libcuda.so.1"
"""The file name of the CUDA driver library."""

KERNELS: Final = Path(__file__).with_name("cuda.ptx")
"""The compiled kernels, built with the package if the environment variable VALLETTA_CUDA is 1."""

DRIVER, CAPABILITY = 11_000, 8
"""The minimum CUDA version of the driver (11.0), and the minimum major compute capability."""

DEVICE_TYPE: Final = 2
"""DLPack's device type for GPU memory."""

KINDS: Final = {"q": "i8", "Q": "u8", "h": "i2", "B": "u1", "b": "i1", "f": "f4", "i": "i4"}
"""A mapping from the type codes of `array.array` to array types: a letter and a size in bytes."""

_OUT_OF_MEMORY, _MAJOR, _STACK_SIZE, _UNTIMED = 2, 75, 0, 2
_POINTERS: Final = (
    *("course", "described", "game", "last", "trouble", "keys", "starts", "rank", "order"),
    *("given", "into"),
)
_SIZES: Final = ("call", "course", "described", "game", "answer")
_CODES: Final = {"i": 0, "u": 1, "f": 2}
_DLTENSOR: Final = b"dltensor"  # capsules contain its address

_number = ctypes.c_size_t


class CudaError(RuntimeError):
    """No usable GPU was found, or its driver reported an error."""


class _Call(ctypes.Structure):
    """The argument struct of a kernel."""

    _fields_ = tuple(
        (name, _number) for name in (*_POINTERS, "kind", "seed", "games", "views", "threads")
    )


class Card:
    """A GPU with loaded kernels. It uses the primary context, which is shared by all libraries."""

    def __init__(self, number: int) -> None:
        """Load the driver, and the kernels for the GPU `number`.

        Raise `CudaError` on failure.
        """
        if native.why_not is not None:
            raise CudaError(native.why_not)
        if not KERNELS.is_file():
            raise CudaError(
                "valletta-rules was built without GPU kernels; build it with VALLETTA_CUDA=1"
            )
        try:
            self._driver = ctypes.CDLL(LIBRARY)
        except OSError as reason:
            raise CudaError(f"the CUDA driver cannot be loaded: {reason}") from None
        self.number, self._context = number, 0
        self._kernels: dict[str, int] = {}
        self.call("cuInit", 0)
        version = self.query("cuDriverGetVersion")
        if version < DRIVER:
            raise CudaError(
                f"the driver supports CUDA {version // 1000}, but CUDA 11 is the minimum"
            )
        handle, name = self.query("cuDeviceGet", number), bytearray(100)
        major = self.query("cuDeviceGetAttribute", _MAJOR, handle)
        if major < CAPABILITY:
            raise CudaError(
                f"the GPU has compute capability {major}, but {CAPABILITY} is the minimum"
            )
        self.call("cuDeviceGetName", (ctypes.c_char * 100).from_buffer(name), 100, handle)
        number_of = f"{version // 1000}.{version % 1000 // 10}"
        self.name = f"{name.rstrip(bytes(1)).decode()}, CUDA {number_of}"
        self._context = self.query("cuDevicePrimaryCtxRetain", handle)
        self._module = self.query("cuModuleLoadData", KERNELS.read_bytes() + b"\0")
        sizes = Array(self, (len(_SIZES),), "i")
        self.launch("sizes", 1, 0, into=sizes)
        self.sizes = dict(zip(_SIZES, sizes.to_host(), strict=True))
        if self.sizes["call"] != ctypes.sizeof(_Call):
            raise CudaError("the kernels were compiled for another version of valletta-rules")

    def call(self, name: str, *given: Any) -> None:
        """Call a driver function in the context of this GPU. Raise `CudaError` if it fails.

        Integers are passed as 64 bits, which is also correct for parameters of 32 bits.
        """
        passed = [_number(each) if isinstance(each, int) else each for each in given]
        if self._context:
            self._driver.cuCtxPushCurrent_v2(_number(self._context))
        code = getattr(self._driver, name)(*passed)
        if self._context:
            self._driver.cuCtxPopCurrent_v2(ctypes.byref(_number()))
        if code == _OUT_OF_MEMORY:
            raise MemoryError("the GPU has too little free memory")
        if code:
            words = ctypes.c_char_p()
            self._driver.cuGetErrorString(code, ctypes.byref(words))
            raise CudaError(f"{name}: {(words.value or b'unknown error').decode()}")

    def query(self, name: str, *given: Any) -> int:
        """Call a driver function.

        Return the number or handle that it writes to its first argument.
        """
        result = _number()
        self.call(name, ctypes.byref(result), *given)
        return result.value

    def launch(
        self, name: str, threads: int, stream: int, block: int = 64, shared: int = 0, **given: Any
    ) -> None:
        """Queue a kernel in a stream.

        `threads` is the number of threads, `block` the number of threads in a block, and `shared`
        the number of bytes of shared memory for each block. The keyword arguments, numbers and
        arrays, are the arguments of the kernel.
        """
        if name not in self._kernels:
            function = f"gpu_{name}".encode()
            self._kernels[name] = self.query("cuModuleGetFunction", self._module, function)
        numbers = {name: getattr(each, "address", each) for name, each in given.items()}
        call = _Call(threads=threads, **numbers)
        passed = (ctypes.c_void_p * 1)(ctypes.addressof(call))
        size = (-(-threads // block), 1, 1, block, 1, 1, shared)
        self.call("cuLaunchKernel", self._kernels[name], *size, stream, passed, None)

    def need_stack(self, size: int) -> None:
        """Increase the stack size of each thread to `size` bytes, unless it is already larger."""
        if self.query("cuCtxGetLimit", _STACK_SIZE) < size:
            self.call("cuCtxSetLimit", _STACK_SIZE, size)

    def free(self) -> int:
        """Return the number of free bytes of GPU memory."""
        return self.query("cuMemGetInfo_v2", ctypes.byref(_number()))

    def write(self, address: int, given: bytes, stream: int) -> None:
        """Copy bytes to the GPU, and synchronise the stream."""
        self.call("cuMemcpyHtoDAsync_v2", address, given, len(given), stream)
        self.call("cuStreamSynchronize", stream)

    def read(self, address: int, size: int, stream: int) -> bytearray:
        """Synchronise a stream, and return a copy of `size` bytes of GPU memory."""
        into = bytearray(size)
        place = (ctypes.c_char * size).from_buffer(into)
        self.call("cuMemcpyDtoHAsync_v2", place, address, size, stream)
        self.call("cuStreamSynchronize", stream)
        return into

    def wait(self, waiting: int, other: int) -> None:
        """Make a stream wait for the work that is queued in another stream."""
        if (waiting or 1) == (other or 1):  # both 0 and 1 mean the default stream
            return
        event = self.query("cuEventCreate", _UNTIMED)
        self.call("cuEventRecord", event, other)
        self.call("cuStreamWaitEvent", waiting, event, 0)
        self.call("cuEventDestroy_v2", event)


class Array:
    """An array in GPU memory that other libraries can use without copying it.

    ``torch.from_dlpack``, ``jax.dlpack.from_dlpack`` and ``cupy.from_dlpack`` share the memory of
    the array. The consumer's stream waits for the work that is queued in the array's ``stream``.
    The array also supports ``__cuda_array_interface__``. The memory is freed when the last
    reference to the array is deleted.
    """

    address = 0

    def __init__(self, card: Card, shape: tuple[int, ...], letter: str = "B") -> None:
        """Create an array of zeros.

        `letter` is the type code that `array.array` uses for the items. Raises `MemoryError` if the
        GPU has too little free memory.
        """
        self.card, self.shape, self.letter, self.stream = card, shape, letter, 0
        self.address = card.query("cuMemAlloc_v2", self.nbytes)
        card.call("cuMemsetD8Async", self.address, 0, self.nbytes, 0)
        card.call("cuStreamSynchronize", 0)

    def __del__(self) -> None:
        if self.address:
            self.card.call("cuMemFree_v2", self.address)

    @property
    def kind(self) -> str:
        """The type of the items and their size in bytes, such as ``i8``, ``u1`` or ``f4``."""
        return KINDS[self.letter]

    @property
    def nbytes(self) -> int:
        """The size of the array in bytes."""
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
        return DEVICE_TYPE, self.card.number

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Return a capsule with the array for a consumer's stream.

        Stream -1 means no synchronisation.

        Raises `BufferError` if a copy or another device is requested, and `ValueError` for stream
        0, which is ambiguous.
        """
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("the array can be neither copied nor moved to another device")
        if stream == 0:
            raise ValueError(
                "stream 0 is ambiguous: use 1 (default stream) or 2 (default stream of the thread)"
            )
        if stream != -1:
            self.card.wait(stream or 1, self.stream)
        return _capsule(self)

    def to_host(self) -> Any:
        """Synchronise the stream, and return a copy of the array in host memory."""
        whole: Any = memoryview(self.card.read(self.address, self.nbytes, self.stream))
        return whole.cast(self.letter, self.shape)


# DLPack

_MANAGED: Final = struct.Struct("PiiiBBHPPQPP")
"""The DLPack struct that describes an array (``DLManagedTensor``).

Its fields are the data; the type and number of the device; the number of dimensions; code, bits and
lanes of an item; shape, strides and offset; the context of the owner; and the function that
releases the array.
"""

_lent: dict[int, Any] = {}
"""The arrays that other libraries use, keyed by the address of the DLPack struct."""


def _release(address: int) -> None:
    """Drop the reference to an array that the consumer has released."""
    _lent.pop(address, None)


def _drop(capsule: int) -> None:
    """Drop the reference to the array in a capsule that no consumer has used."""
    if ctypes.pythonapi.PyCapsule_IsValid(_number(capsule), _DLTENSOR):
        _release(_address_of(capsule, _DLTENSOR))


_released, _dropped = map(ctypes.CFUNCTYPE(None, _number), (_release, _drop))
_address_of = ctypes.PYFUNCTYPE(_number, _number, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, _number, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)


def _capsule(array: Array) -> Any:
    """Return a DLPack capsule that keeps an array alive."""
    shape = (ctypes.c_int64 * len(array.shape))(*array.shape)
    kind = _CODES[array.kind[0]], 8 * int(array.kind[1]), 1
    places = ctypes.addressof(shape), 0, 0, 0, ctypes.cast(_released, ctypes.c_void_p).value
    device = array.__dlpack_device__()
    managed = ctypes.create_string_buffer(_MANAGED.size)
    _MANAGED.pack_into(managed, 0, array.address, *device, len(shape), *kind, *places)
    address = ctypes.addressof(managed)
    _lent[address] = managed, shape, array
    return _new_capsule(address, _DLTENSOR, ctypes.cast(_dropped, ctypes.c_void_p))
