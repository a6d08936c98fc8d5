"""Tells the disks that a pool may be made of from all others, by what lsblk says of them.

usage: disks.py MODEL <lsblk.json     lines of name and verdict, a tab between; the verdict of a disk that may be taken is `empty`
"""

import json
import sys

# EC2 user guide, "Identify the type of an NVMe device": https://docs.aws.amazon.com/ebs/latest/userguide/nvme-ebs-volumes.html
EBS = "Amazon Elastic Block Store"


def parts_of(device):
    """The device, its partitions, and whatever lies on those."""
    return [device, *(part for child in device.get("children") or [] for part in parts_of(child))]


def values(parts, key):
    return [part[key] for part in parts if part[key]]


def verdict(device, model):
    """Why the disk must be left alone; `empty` where nothing speaks against it. The worst comes first."""
    parts = parts_of(device)
    mounted = values(parts, "mountpoint")
    types = values(parts, "fstype")
    if "/" in mounted or any(point.startswith("/boot") for point in mounted):
        return "holds the operating system"
    if mounted:
        return f"is in use at {mounted[0]}"
    if "zfs_member" in types:
        return "is a member of a ZFS pool"
    children = device.get("children") or []
    if values([device], "pttype") or any(child["type"] == "part" for child in children):
        return "has a partition table"
    if children:
        return f"is part of {children[0]['name']} ({children[0]['type']})"
    if types:
        return f"holds {types[0]}"
    own = (device["model"] or "").strip()
    if own == EBS:
        return "is a volume of EBS"
    if own != model:
        return f"is no instance store, but {own or 'of an unknown model'}"
    if device["ro"] in (True, "1"):
        return "is read-only"
    return "empty"


def main(model):
    devices = json.load(sys.stdin)["blockdevices"]
    disks = [device for device in devices if device["type"] == "disk"]
    # nvme2n1 before nvme10n1: the order in which they are taken must not depend on spelling.
    disks.sort(key=lambda disk: (len(disk["name"]), disk["name"]))
    for disk in disks:
        print(disk["name"], verdict(disk, model), sep="\t")


if __name__ == "__main__":
    main(sys.argv[1])
