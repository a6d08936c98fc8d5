"""Turns fio's JSON into what a rung of the ladder prints, on one line, with how compressible the data really are.

usage: rung.py RUNG OPERATION JOBS SAMPLE [LOGICAL_BYTES USED_BYTES] <fio.json
  SAMPLE   a file or device with what was written; empty where there is none
"""

import json
import sys
import zlib

RECORD = 128 * 1024
SAMPLED = 64 * 1024 * 1024


def gzip_share(path, most):
    """Bytes that gzip-6 leaves of each of the first bytes, by records of 128 KiB; None where there is nothing to read."""
    if not path:
        return None
    before = after = 0
    with open(path, "rb") as data:
        while before < min(most, SAMPLED):
            record = data.read(RECORD)
            if not record:
                break
            before += len(record)
            after += len(zlib.compress(record, 6))
    return after / before if before else None


def main(rung, operation, jobs, sample, logical=None, used=None):
    text = sys.stdin.read()
    # A fio note may come first.
    job = json.loads(text[text.index("{") :])
    side = job["jobs"][0][operation]
    percentiles = side["clat_ns"].get("percentile", {})
    seconds = {name: percentiles[key] / 1e9 for name, key in (("p50", "50.000000"), ("p99", "99.000000"), ("p99.9", "99.900000")) if key in percentiles}
    found = {
        "schema": "fsxbench.rung/1",
        "rung": rung,
        "operation": operation,
        "fio": job["fio version"],
        "error": job["jobs"][0]["error"],
        "bytes": side["io_bytes"],
        # Up to the end of the fsync that ends a job.
        "seconds": side["runtime"] / 1000,
        "latencySeconds": seconds,
        # Half of what a job wrote on average: the slowest may not have come further.
        "gzipShare": gzip_share(sample, side["io_bytes"] // int(jobs) // 2) if operation == "write" else None,
        "logicalBytes": int(logical) if logical else None,
        "usedBytes": int(used) if used else None,
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
