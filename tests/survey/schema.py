"""Holds what `landlock-run probe --json` prints, in every state it can be in, against probe/probe.schema.json and against the text form.

Nothing here may be accepted by a schema that accepts everything: spoiled objects must be refused. The system's Python, for the package
that validates is the system's."""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

BUILD = pathlib.Path(sys.argv[1]).resolve()
LAUNCHER = os.environ.get("LANDLOCK_RUN", str(BUILD / "landlock-run"))
SIMULATOR = str(BUILD / "tests/simulate")
SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "probe/probe.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
COUNTS = {"ok": 0, "FAIL": 0, "skip": 0}
OBJECTS = {}
REAL = 0


class Skipped(Exception):
    pass


def test(function):
    word, why = "ok", ""
    try:
        function()
    except Skipped as reason:
        word, why = "skip", f": {reason}"
    except Exception as failure:  # whatever it is, the test has failed
        word, why = "FAIL", f": {type(failure).__name__}: {str(failure)[:600]}"
    COUNTS[word] += 1
    print(f"{word} {function.__name__}{why}", flush=True)


def run(arguments, kernel=None, directory="."):
    claim = [SIMULATOR, "--abi", str(kernel), "--"] if kernel else []
    return subprocess.run(claim + [LAUNCHER, "probe"] + arguments, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def is_valid(value):
    return next(iter(VALIDATOR.iter_errors(value)), None) is None


def validate(value):
    error = next(iter(VALIDATOR.iter_errors(value)), None)
    check(error is None, error and "/".join(map(str, error.absolute_path)) + ": " + error.message)


def probe(status, arguments=(), kernel=None, directory="."):
    """The object of a probe that ends so, which is valid and one line, with the line on stderr that its status asks for."""
    ended = run(["--json", *arguments], kernel, directory)
    check(ended.returncode == status, f"{arguments} on {kernel}: {ended}")
    text = ended.stdout.decode("utf-8", "strict")
    check(text.endswith("}\n") and text.count("\n") == 1, f"not one line: {text[:200]!r}")
    value = json.loads(text)
    validate(value)
    lines = ended.stderr.decode("utf-8", "replace").splitlines()
    check(len(lines) == (status != 0), f"stderr: {lines}")
    check(all(line.startswith("landlock-run: ") for line in lines), f"stderr: {lines}")
    agrees_with_text(value, run([*arguments], kernel, directory))
    return value, lines


def masked(string):
    return "".join("?" if ord(c) < 32 or ord(c) == 127 or c == "\ufffd" else c for c in string)


def agrees_with_text(value, ended):
    """All that the object says stands in the text, in the same order, and the text has no more lines than that."""
    text = [line.rstrip() for line in ended.stdout.decode("utf-8", "replace").replace("\ufffd", "?").splitlines()]
    due = []
    for name in ("kernel", "usable", "enforcement", "abi", "errata", "cause", "remedy"):
        if value[name] is not None:
            due.append([name, json.dumps(value[name]) if name not in ("kernel", "enforcement", "cause", "remedy") else masked(value[name])])
    due.append(["rights"])
    due += [[row["right"], row["since"], "governed" if row["governed"] else "not governed"] for row in value["rights"]]
    due.append(["effects"])
    due += [[row["effect"], row["status"]] for row in value["effects"]]
    due.append(["modes"])
    for row in value["modes"]:
        due.append([row["mode"]])
        for name in ("refuses", "except", "allows"):
            due.append([name] + row[name] if row[name] else [name, "nothing"])
    if "policy" in value:
        due.append(["policy", value["policy"]])
        if value["refusal"] is not None:
            due.append(["refusal", masked(value["refusal"])])
        due.append(["tests"])
        due += [[row[name] if name != "subject" else masked(row[name]) for name in ("test", "subject", "result", "errno") if row[name]]
                for row in value["tests"]]
    whole = " ".join(" ".join(text).split())
    words = " ".join(" ".join(", ".join(row[1:]) and row[0] + " " + ", ".join(row[1:]) if row[0] in ("refuses", "except", "allows")
                              else " ".join(row) for row in due).split())
    check(whole.replace("?", "") == words.replace("?", ""), f"the text differs:\n{whole}\n{words}")


def needs_landlock():
    if not REAL:
        if os.environ.get("LANDLOCK_RUN_MUST_ENFORCE") == "1":
            raise AssertionError("this kernel has no Landlock")
        raise Skipped("this kernel has no Landlock")


def the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def this_kernel():
    needs_landlock()
    OBJECTS["plain"], _ = probe(0)
    check(OBJECTS["plain"]["usable"] and OBJECTS["plain"]["cause"] is None, "not usable")


def each_claimed_abi():
    needs_landlock()
    for abi in range(1, REAL + 1):
        value, _ = probe(0, kernel=abi)
        check(value["abi"] == abi and value["usable"], f"{abi}: {value['abi']}")
        check(value["enforcement"] == ("full" if abi >= 5 else "partial"), f"{abi}: {value['enforcement']}")
        check(all(row["governed"] == (row["abi"] <= abi) for row in value["rights"]), f"{abi}: rights")


def each_cause_of_being_unusable():
    for number in ("ENOSYS", "EOPNOTSUPP", "EPERM"):
        for arguments in ([], ["--ro", "/", "--rw", ".", "--", "true"]):
            value, lines = probe(125, arguments, number)
            check(not value["usable"] and value["enforcement"] == "none", number)
            check(value["cause"] and value["remedy"] and value["cause"] in lines[0], f"{number}: {lines}")
            check(not any(row["governed"] for row in value["rights"]), number)
            OBJECTS["unusable" + str(len(arguments))] = value


def policies_that_hold_and_that_do_not():
    needs_landlock()
    with tempfile.TemporaryDirectory() as place:
        os.mkdir(place + "/d")
        with open(place + "/d/script", "w", encoding="ascii") as script:
            script.write("#!/nowhere/interpreter\n")
        os.chmod(place + "/d/script", 0o755)
        OBJECTS["holds"], _ = probe(0, ["--ro", "/", "--rw", "d", "--", "true"], directory=place)
        check(OBJECTS["holds"]["tests"] and OBJECTS["holds"]["refusal"] is None, "tests")
        OBJECTS["does not hold"], lines = probe(125, ["--ro", "/", "--", "d/script"], directory=place)
        check("/nowhere/interpreter" in lines[0], str(lines))
        OBJECTS["refused"], lines = probe(125, ["--rw", "absent"], directory=place)
        check(OBJECTS["refused"]["refusal"] in lines[0] and not OBJECTS["refused"]["tests"], str(lines))
        probe(0, ["--rw", "d", "--connect-tcp", "80"] if REAL >= 4 else ["--rw", "d"], directory=place)
        probe(0, ["--mode", "danger-full-access"], directory=place)


def names_of_any_bytes():
    needs_landlock()
    with tempfile.TemporaryDirectory() as place:
        for name in (b'q"\\', b"\x01\n\r\t\x1b[31m\x7f", b"\xff\xfe", b"\xc3\xa9", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"long" * 60):
            os.mkdir(os.fsencode(place) + b"/" + name)
            value, _ = probe(0, [b"--rw", name], directory=place)
            subject = value["tests"][0]["subject"]
            decoded = name.decode("utf-8", "replace")
            check(subject == decoded or "\ufffd" in subject and "\ufffd" in decoded, f"{name!r}: {subject!r}")


def spoil(value, path, change):
    value = copy.deepcopy(value)
    at = value
    for step in path[:-1]:
        at = at[step]
    change(at, path[-1])
    return value


def remove(at, step):
    del at[step]


def places(value, path=()):
    """Each place of the object, once for all rows of an array."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield path + (name,)
            yield from places(part, path + (name,))
    elif isinstance(value, list) and value:
        yield from places(value[0], path + (0,))


def spoiled_objects_are_refused():
    needs_landlock()
    spoiled = 0
    for name, value in OBJECTS.items():
        for path in places(value):
            ruined = [spoil(value, path, lambda at, step: at.__setitem__(step, {"of": "another kind"}))]
            if path[-1] not in ("needs", "policy"):
                ruined.append(spoil(value, path, remove))
            ruined.append(spoil(value, path, lambda at, step: at.__setitem__("unknown", 1)))
            for object_ in ruined:
                check(not is_valid(object_), f"{name}: {path} may be spoiled")
                spoiled += 1
    check(spoiled > 200, f"only {spoiled}")
    plain = OBJECTS["plain"]
    for path, wrong in (
        (("landlock-run",), 2), (("event",), "confined"), (("enforcement",), "none"), (("enforcement",), "some"), (("cause",), "why"),
        (("abi",), -1), (("abi",), "7"), (("abi",), 1.5), (("kernel",), ""), (("usable",), False), (("rights",), []), (("effects",), []),
        (("modes",), []), (("rights", 0, "since"), "ABI x"), (("effects", 0, "status"), "perhaps"), (("effects", 0, "needs"), 3),
        (("modes", 0, "mode"), "other"), (("modes", 0, "refuses"), ["nothing"]),
    ):
        check(not is_valid(spoil(plain, path, lambda at, step, wrong=wrong: at.__setitem__(step, wrong))), f"{path}: {wrong!r} is accepted")
    for name in ("policy", "refusal", "tests"):
        check(not is_valid(spoil(OBJECTS["holds"], (name,), remove)), f"a policy without its {name} is accepted")
    check(not is_valid(spoil(OBJECTS["unusable0"], ("usable",), lambda at, step: at.__setitem__(step, True))), "unusable and usable")


def main():
    global REAL
    ended = run(["--json"])
    try:
        value = json.loads(ended.stdout)
        REAL = value["abi"] if value["usable"] else 0
    except ValueError:
        pass  # the tests say what is wrong with it
    for function in (the_schema_is_one, this_kernel, each_claimed_abi, each_cause_of_being_unusable, policies_that_hold_and_that_do_not,
                     names_of_any_bytes, spoiled_objects_are_refused):
        test(function)
    print(f"survey: {COUNTS['ok']} passed, {COUNTS['FAIL']} failed, {COUNTS['skip']} skipped")
    return 1 if COUNTS["FAIL"] else 0


sys.exit(main())
