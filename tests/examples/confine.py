"""confine.py LIBRARY DIRECTORY COMMAND [ARG]...: what confine.c does, from Python with ctypes and nothing else."""
import ctypes as c
import errno
import os
import sys

READ_EXECUTE, FILE_SET, SEARCH_PATH = 0xD, 0xFFFF, 1


class Grant(c.Structure):
    _fields_ = [("type", c.c_uint32), ("flags", c.c_uint32), ("rights", c.c_uint64),
                ("path", c.c_char_p), ("fd", c.c_int32), ("port", c.c_uint32)]


class Policy(c.Structure):
    _fields_ = [("size", c.c_uint32), ("flags", c.c_uint32), ("governed", c.c_uint64), ("required", c.c_uint64),
                ("grants", c.POINTER(Grant)), ("grants_count", c.c_uint64), ("grant_source", c.c_void_p),
                ("grant_context", c.c_void_p), ("guards", c.c_uint32), ("reserved", c.c_uint32)]


class Result(c.Structure):
    _fields_ = [("size", c.c_uint32), ("enforcement", c.c_uint32), ("abi", c.c_int32), ("unmet", c.c_uint32),
                ("governed", c.c_uint64), ("ungoverned", c.c_uint64)]


class Error(c.Structure):
    _fields_ = [("code", c.c_int32), ("errnum", c.c_int32), ("subject", c.c_char_p), ("field", c.c_char_p),
                ("index", c.c_uint64)]


class Spawn(c.Structure):
    _fields_ = [("size", c.c_uint32), ("flags", c.c_uint32), ("policy", c.POINTER(Policy)),
                ("argv", c.POINTER(c.c_char_p)), ("envp", c.POINTER(c.c_char_p)), ("cwd", c.c_char_p),
                ("stdio", c.c_int32 * 3), ("reserved", c.c_uint32)]


class Verdict(c.Structure):
    _fields_ = [("size", c.c_uint32), ("kind", c.c_uint32), ("exit_status", c.c_int32), ("signal", c.c_int32),
                ("partial", c.c_uint32), ("reserved", c.c_uint32), ("evidence", c.c_void_p),
                ("evidence_length", c.c_uint64)]


def sized(structure, **members):
    return structure(size=c.sizeof(structure), **members)


def strings(values):
    return (c.c_char_p * (len(values) + 1))(*[os.fsencode(value) for value in values], None)


def fail(library, error):
    text = c.create_string_buffer(4096)
    library.llr_error_text(c.byref(error), text, c.c_size_t(len(text)))
    sys.exit("confine: " + text.value.decode(errors="replace"))


def run(library, policy, command):
    kinds = ["the command's own status", "likely denied", "the launcher failed"]
    result, verdict, error = sized(Result), sized(Verdict), Error()
    reader, writer = os.pipe()
    spawn = sized(Spawn, flags=SEARCH_PATH, policy=c.pointer(policy), argv=strings(command),
                  envp=strings([f"{name}={value}" for name, value in os.environ.items()]), stdio=(-1, -1, writer))
    pid = library.llr_spawn(c.byref(spawn), c.byref(result), c.byref(error))
    os.close(writer)
    if pid < 0:
        fail(library, error)
    with os.fdopen(reader, "rb") as stream:
        errors = stream.read()
    _, status = os.waitpid(pid, 0)
    library.llr_classify(c.c_int32(status), errors, c.c_size_t(len(errors)), c.byref(verdict))
    print(f"enforcement {result.enforcement}, exit status {verdict.exit_status}: {kinds[verdict.kind]}")
    if verdict.evidence:
        print("evidence: " + c.string_at(verdict.evidence, verdict.evidence_length).decode(errors="replace"))


def main():
    library = c.CDLL(sys.argv[1])
    grants = (Grant * 2)(Grant(rights=READ_EXECUTE, path=b"/", fd=-1),
                         Grant(rights=FILE_SET, path=os.fsencode(sys.argv[2]), fd=-1))
    policy, result, error = sized(Policy, grants=grants, grants_count=2), sized(Result), Error()
    run(library, policy, sys.argv[3:])
    if library.llr_confine(c.byref(policy), c.byref(result), c.byref(error)):
        fail(library, error)
    try:
        open("outside", "w")
    except OSError as failure:
        print("confined: " + errno.errorcode[failure.errno])


main()
