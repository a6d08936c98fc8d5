"""Adds up what Lustre's targets have counted: lctl get_param obdfilter.*.stats mdt.*.md_stats on stdin, lines of file system, metric and total on stdout."""

import re
import sys
from collections import Counter

# Counters of mdt.*.md_stats, and what they count.
METADATA = {
    "open": "FileOpens",
    "mknod": "FileCreates",
    "unlink": "FileDeletes",
    "mkdir": "DirectoryCreates",
    "rmdir": "DirectoryDeletes",
    "rename": "Renames",
    "getattr": "Stats",
}
# No operations of clients on metadata.
NOT_METADATA = {"statfs", "sync", "samedir_rename", "crossdir_rename"}

TARGET = re.compile(r"^(obdfilter|mdt)\.(\w+)-(?:OST|MDT)[0-9a-f]{4}\.(?:stats|md_stats)=$")
# `write_bytes 16 samples [bytes] 4096 4194304 33558528 …`: the number, the unit, least, most and sum.
COUNT = re.compile(r"^(\w+)\s+(\d+) samples \[(\w+)\](?: \d+ \d+ (\d+))?")


def totals(lines):
    found = Counter()
    kind = name = None
    for line in lines:
        target = TARGET.match(line)
        if target:
            kind, name = target.groups()
            continue
        count = COUNT.match(line)
        if count is None or name is None:
            continue
        counter, samples, unit, total = count.groups()
        if kind == "mdt":
            if counter in METADATA:
                found[name, METADATA[counter]] += int(samples)
            if counter not in NOT_METADATA:
                found[name, "MetadataOperations"] += int(samples)
        elif unit == "bytes" and counter in ("read_bytes", "write_bytes"):
            way = "Read" if counter == "read_bytes" else "Write"
            found[name, f"{way}Operations"] += int(samples)
            found[name, "BytesRead" if way == "Read" else "BytesWritten"] += int(total or 0)
    return found


if __name__ == "__main__":
    for (file_system, metric), value in sorted(totals(sys.stdin).items()):
        print(file_system, metric, value)
