"""A dnf that answers from recorded metadata (test/fixtures/el8): what is not recorded there is refused, as a repository would.

It reads the repositories' files as dnf does, and reaches what a server's security group lets it: no mirror, which may be one by HTTP, but those of RHUI, and
no address by HTTP. What is installed is in the file $installed, a name and a version a line.

usage: dnf.py METADATA install -y --quiet [--disablerepo=*] PACKAGE|URL…
       dnf.py METADATA config-manager --set-enabled REPOSITORY
       dnf.py METADATA has NAME      status 0 where a package that is installed has or provides it
"""

import configparser
import json
import os
import re
import sys
from pathlib import Path

REPOSITORIES = Path(os.environ["FSXBENCH_ROOT"], "etc/yum.repos.d")
INSTALLED = Path(os.environ["installed"])


def fail(message):
    sys.exit(f"Error: {message}")


def sections():
    """Each repository's file, parsed, and the name of a section in it."""
    for path in sorted(REPOSITORIES.glob("*.repo")):
        parsed = configparser.ConfigParser(interpolation=None)
        parsed.read(path)
        for name in parsed.sections():
            yield path, parsed, name


def address(name, repository):
    if "baseurl" in repository:
        if not repository["baseurl"].startswith("https://"):
            fail(f"Failed to download metadata for repo '{name}': Curl error (28): Timeout was reached for {repository['baseurl']}")
        return repository["baseurl"]
    rhui = re.match(r"https://rhui\..*/([\w-]+)/os$", repository.get("mirrorlist", ""))
    if rhui is None:
        fail(f"Failed to download metadata for repo '{name}': Cannot prepare internal mirrorlist: a mirror by HTTP does not answer")
    return f"rhui:{rhui[1]}"


def available(metadata):
    """Packages of the enabled repositories, as dicts with name, version, requires and provides."""
    found = []
    for _, parsed, name in sections():
        repository = parsed[name]
        if repository["enabled"] != "1":
            continue
        where = address(name, repository)
        if where not in metadata["addresses"]:
            fail(f"Failed to download metadata for repo '{name}': Status code: 404 for {where}repodata/repomd.xml")
        only = repository.get("includepkgs", "").split()
        for package in metadata["repositories"][metadata["addresses"][where]]:
            if not only or package["name"] in only:
                found.append(package)
    return found


def provides(package):
    """What a package provides, its own name first, as pairs of name and version."""
    own = [(package["name"], package.get("version", "1"))]
    return own + [tuple(each.split(" = ")) if " = " in each else (each, "") for each in package.get("provides", [])]


def satisfies(package, requirement):
    name, relation, version = (requirement.split(" ") + ["", ""])[:3]
    return any(had == name and (relation != "=" or of == version) for had, of in provides(package))


def is_named(package, wanted):
    name, version = package["name"], package.get("version", "1")
    return wanted in (name, f"{name}-{version}", f"{name}-{version}.{package.get('arch', 'x86_64')}")


def install(metadata, wanted, no_repositories):
    installed = json.loads(INSTALLED.read_text())
    repositories = [] if no_repositories else available(metadata)
    new = []

    def take(package):
        if any(each["name"] == package["name"] and each.get("version") == package.get("version") for each in installed + new):
            return
        new.append(package)
        for requirement in package.get("requires", []):
            if any(satisfies(each, requirement) for each in installed + new + asked):
                continue
            found = next((each for each in repositories if satisfies(each, requirement)), None)
            if found is None:
                fail(f"nothing provides {requirement} needed by {package['name']}-{package.get('version', '1')}")
            take(found)

    asked = []
    for each in wanted:
        if each.startswith("https://"):
            if each not in metadata["urls"]:
                fail(f"Status code: 404 for {each}")
            asked.append(metadata["urls"][each])
            continue
        found = next((package for package in installed + repositories if is_named(package, each)), None)
        if found is None:
            fail(f"Unable to find a match: {each}")
        asked.append(found)
    for package in asked:
        take(package)
    for package in new:
        for name, text in package.get("files", {}).items():
            (REPOSITORIES / name).write_text(text)
    INSTALLED.write_text(json.dumps(installed + new))


def enable(wanted):
    for path, parsed, name in sections():
        if name == wanted:
            text = path.read_text()
            head, _, tail = text.partition(f"[{name}]")
            path.write_text(f"{head}[{name}]{tail.replace('enabled=0', 'enabled=1', 1)}")
            return
    fail(f"No matching repo to modify: {wanted}.")


def main(path, action, *words):
    metadata = json.loads(Path(path).read_text())
    if action == "install":
        install(metadata, [word for word in words if not word.startswith("-")], "--disablerepo=*" in words)
    elif action == "config-manager" and words[0] == "--set-enabled":
        enable(words[1])
    elif action == "has":
        sys.exit(not any(satisfies(package, words[0]) for package in json.loads(INSTALLED.read_text())))
    else:
        fail(f"No such command: {action}")


if __name__ == "__main__":
    main(*sys.argv[1:])
