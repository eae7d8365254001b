"""Plays what runs a CI job, as far as our examples use it: a composite action's steps, a GitLab job's script.

Understands no more than it must: an expression that is not an input or an output of a step is an error, and so is a key that it does not know.
"""
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


@dataclass
class Outcome:
    status: int
    stdout: str
    stderr: str
    outputs: dict = field(default_factory=dict)
    commands: list = field(default_factory=list)  # (name, text) that the runner would have obeyed


def fill(text, inputs, steps):
    """The text with its expressions replaced by what they stand for."""
    def value(match):
        words = match[1].split(".")
        if words[0] == "inputs" and len(words) == 2:
            return inputs[words[1]]
        if words[0] == "steps" and words[2] == "outputs" and len(words) == 4:
            return steps[words[1]].get(words[3], "")
        raise ValueError(f"not understood: {match[0]}")
    return EXPRESSION.sub(value, text)


def workflow_commands(stdout):
    """Lines that command the runner, but for those between ::stop-commands::TOKEN and ::TOKEN::."""
    obeyed, stopped = [], None
    for line in stdout.splitlines():
        match = re.match(r"\s*::([a-z-]+|[0-9a-f]+)(?: [^:]*)?::(.*)$", line)
        if not match:
            continue
        if stopped:
            stopped = None if match[1] == stopped else stopped
        elif match[1] == "stop-commands":
            stopped = match[2]
        else:
            obeyed.append((match[1], match[2]))
    return obeyed, stopped


def run_action(action, directory, place, given, simulator=()):
    """Runs a composite action's steps in `place`, a directory with workspace, home and temp; `given` are its inputs."""
    unknown = set(given) - set(action["inputs"])
    if unknown:
        raise ValueError(f"no such inputs: {unknown}")
    inputs = {name: given.get(name, about.get("default", "")) for name, about in action["inputs"].items()}
    temp = place / "temp"
    files = temp / "_runner_file_commands"
    files.mkdir(exist_ok=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(place / "home"), "CI": "true", "GITHUB_ACTIONS": "true", "LANG": "C.UTF-8",
                   "GITHUB_WORKSPACE": str(place / "workspace"), "GITHUB_ACTION_PATH": str(directory), "RUNNER_TEMP": str(temp)}
    steps, total = {}, Outcome(0, "", "")
    for number, step in enumerate(action["runs"]["steps"]):
        if set(step) - {"id", "shell", "env", "run"} or step["shell"] != "bash":
            raise ValueError(f"not understood: {step}")
        for name in ("OUTPUT", "ENV", "PATH"):
            environment[f"GITHUB_{name}"] = str(files / f"{name.lower()}_{number}")
            Path(environment[f"GITHUB_{name}"]).write_text("")
        script = temp / f"step_{number}.sh"
        script.write_text(fill(step["run"], inputs, steps))
        extra = {name: fill(text, inputs, steps) for name, text in step.get("env", {}).items()}
        run = subprocess.run([*simulator, "bash", "--noprofile", "--norc", "-eo", "pipefail", script], cwd=place / "workspace",
                             env=environment | extra, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        script.unlink()
        obeyed, stopped = workflow_commands(run.stdout)
        if stopped:
            raise ValueError("commands were stopped and never allowed again")
        steps[step.get("id", number)] = dict(line.split("=", 1) for line in Path(environment["GITHUB_OUTPUT"]).read_text().splitlines())
        # What a step may have commanded the next through these files.
        if Path(environment["GITHUB_ENV"]).read_text() or Path(environment["GITHUB_PATH"]).read_text():
            obeyed.append(("file", "the environment of later steps"))
        total.stdout += run.stdout
        total.stderr += run.stderr
        total.commands += obeyed
        total.status = run.returncode if run.returncode >= 0 else 128 - run.returncode
        if total.status:
            break
    total.outputs = {name: fill(about["value"], inputs, steps) for name, about in action.get("outputs", {}).items()}
    return total


def gitlab_job(pipeline, name):
    """A job with what it extends; members of its own win, and variables are merged."""
    job = dict(pipeline[name])
    if "extends" in job:
        base = gitlab_job(pipeline, job.pop("extends"))
        job = base | job | {"variables": base.get("variables", {}) | job.get("variables", {})}
    if set(job) - {"variables", "script"}:
        raise ValueError(f"not understood: {job}")
    return job


def run_gitlab(job, shell, place, variables, path):
    """Runs a job's script as the runner does: all items in one shell that ends at the first failure."""
    environment = {"PATH": f"{path}:{os.environ['PATH']}", "HOME": str(place / "home"), "CI": "true",
                   "CI_PROJECT_DIR": str(place / "workspace")} | job["variables"] | variables
    options = "set -eo pipefail\n" if shell == "bash" else "set -e\n"
    run = subprocess.run([shell], input=options + "\n".join(job["script"]) + "\n", cwd=place / "workspace", env=environment,
                         capture_output=True, text=True, timeout=120, check=False)
    return Outcome(run.returncode, run.stdout, run.stderr)
