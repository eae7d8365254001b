"""The library as the tests of the documents call it. Nothing here knows what it will say."""
import ctypes
from pathlib import Path

ON_FILE, FILE_SET, READ, OPT_IN, PORT, SCOPE, PATH = (1 << bit for bit in range(7))
NOT_ENFORCED = 20  # LLR_E_NOT_ENFORCED


class Right(ctypes.Structure):
    _fields_ = [("right", ctypes.c_uint64), ("name", ctypes.c_char_p), ("abi", ctypes.c_uint8), ("linux_major", ctypes.c_uint8),
                ("linux_minor", ctypes.c_uint8), ("traits", ctypes.c_uint8)]


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int32), ("errnum", ctypes.c_int32), ("subject", ctypes.c_char_p), ("field", ctypes.c_char_p),
                ("index", ctypes.c_uint64)]


def load(build):
    library = ctypes.CDLL(str(Path(build).resolve() / "liblandlock-run.so"))
    for word in ("llr_prefix", "llr_notice", "llr_probe_full", "llr_probe_partial", "llr_error_stage"):
        getattr(library, word).restype = ctypes.c_char_p
    library.llr_right_at.restype = ctypes.POINTER(Right)
    return library


def rights(library):
    """The rows of the table of rights."""
    index = 0
    while found := library.llr_right_at(index):
        yield found.contents
        index += 1


def stage(library, code):
    return library.llr_error_stage(ctypes.byref(Error(code))).decode()


def text(library, code, errnum):
    buffer = ctypes.create_string_buffer(400)
    library.llr_error_text(ctypes.byref(Error(code, errnum)), buffer, len(buffer))
    return buffer.value.decode()
