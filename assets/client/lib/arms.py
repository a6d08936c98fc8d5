"""The arms that a client mounts, for shell to read; refuses what nothing could use. Python, since Node.js is not there from the first step on.

usage: arms.py list                 of FSXBENCH_ARMS: a line an arm with name, kind and mount point, tabs between
       arms.py environment NAME     of FSXBENCH_ARMS: the values of one arm as lines of FSXBENCH_ARM_<FIELD>=<value>
       arms.py mounted FILE         as list, of a client.json
"""

import json
import os
import re
import sys

NAME = r"[a-z][a-z0-9-]*"
COMMON = {"name": NAME, "kind": NAME, "mountPoint": r"(/[A-Za-z0-9._-]+)+"}
# The kind's own scripts know what they take; here a value must only pass as one line.
OWN = r"[ -~]*"


def checked(arm):
    """The fields of an arm as texts."""
    fields = {name: "" for name in COMMON}
    for name, value in (arm if isinstance(arm, dict) else {}).items():
        fields[name] = value if isinstance(value, str) else json.dumps(value)
    for name, value in fields.items():
        if not re.fullmatch(r"[a-z][A-Za-z0-9]*", name):
            raise ValueError(f"a field of an arm must have a name in camelCase, got '{name}'")
        allowed = COMMON.get(name, OWN)
        if not re.fullmatch(allowed, value):
            raise ValueError(f"'{name}' of an arm must match {allowed}, got '{value}'")
    return fields


def whole(arms):
    """The arms with what one that is `like` an earlier one has in common with it."""
    known = {}
    for arm in arms:
        own = dict(arm) if isinstance(arm, dict) else {}
        like = own.pop("like", None)
        if like is not None and like not in known:
            raise ValueError(f"'like' of an arm must name an earlier one, got '{like}'")
        known[own.get("name")] = {**known.get(like, {}), **own}
        yield known[own.get("name")]


def arms_to_mount():
    """What the stack says in FSXBENCH_ARMS."""
    text = os.environ.get("FSXBENCH_ARMS", "")
    try:
        arms = json.loads(text)
    except ValueError:
        arms = None
    if not isinstance(arms, list):
        raise ValueError(f"'FSXBENCH_ARMS' must be a JSON array, got {text or 'nothing'}")
    if not arms:
        raise ValueError(f"'FSXBENCH_ARMS' must hold an arm, got {text}")
    return [checked(arm) for arm in whole(arms)]


def mounted_arms(path):
    """What a client.json says."""
    try:
        with open(path, encoding="utf-8") as file:
            arms = json.load(file)["arms"].items()
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise ValueError(f"cannot read the arms from {path}: {error}") from error
    common = ("kind", "mountPoint")
    return [checked({"name": name, **{field: arm.get(field, "") for field in common}}) for name, arm in arms]


def lines(mode, *arguments):
    if mode == "environment":
        [found] = [arm for arm in arms_to_mount() if arm["name"] == arguments[0]]
        for field, value in found.items():
            # mountPoint: MOUNT_POINT
            name = re.sub("([A-Z])", "_\\1", field).upper()
            yield f"FSXBENCH_ARM_{name}={value}"
        return
    for arm in mounted_arms(*arguments) if mode == "mounted" else arms_to_mount():
        yield "\t".join(arm[field] for field in COMMON)


try:
    print("\n".join(list(lines(*sys.argv[1:]))))
except ValueError as problem:
    sys.exit(f"arms: error: {problem}")
