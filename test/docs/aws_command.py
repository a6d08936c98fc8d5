"""Print, as a JSON list for each line, what AWS's own API models do not know of its commands of the AWS CLI.

stdin holds a JSON list of lines, each a list of commands, each a list of words.
"""

import json
import sys

import botocore.session
from botocore import xform_name

# Of the CLI itself: https://docs.aws.amazon.com/cli/latest/reference/
GLOBAL = {"query", "output", "region"}
# Commands that the CLI adds to the API: https://docs.aws.amazon.com/cli/latest/reference/logs/tail.html
CUSTOM = {("logs", "tail"): {"since", "filter-pattern", "follow"}}
SESSION = botocore.session.get_session()


def problem(service: str, command: str, options: list[str]) -> str | None:
    if (service, command) in CUSTOM:
        known = CUSTOM[service, command]
    else:
        model = SESSION.get_service_model("s3" if service == "s3api" else service)
        names = {xform_name(name, "-"): name for name in model.operation_names}
        if command not in names:
            return f"aws {service} has no command {command}"
        shape = model.operation_model(names[command]).input_shape
        known = {xform_name(name, "-") for name in shape.members} if shape else set()
    unknown = {name.removeprefix("no-") for name in options} - known - GLOBAL
    return f"aws {service} {command} has no option {', '.join(sorted(unknown))}" if unknown else None


def problems(line: list[list[str]]) -> list[str]:
    found = (
        problem(service, command, [word[2:] for word in rest if word.startswith("--")])
        for service, command, *rest in line
    )
    return [one for one in found if one]


json.dump([problems(line) for line in json.load(sys.stdin)], sys.stdout)
