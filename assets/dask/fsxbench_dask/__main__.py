"""Generates NetCDF files, or analyses them with Dask; prints one JSON document as the last line of stdout."""

import argparse
import json
import sys
from pathlib import Path

from .layout import DataError

SCHEMA = "fsxbench.dask/1"


def whole(least: int, most: int):
    def parse(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {most}, got '{text}'")
        return int(text)

    return parse


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="sst-analysis", description=__doc__)
    programs = parser.add_subparsers(dest="program", required=True)

    make = programs.add_parser("make", help="write years of sea-surface temperature with a known trend")
    make.add_argument("--data", type=Path, required=True, help="directory for the files, one a month")
    make.add_argument("--years", type=whole(1, 200), required=True)
    make.add_argument("--latitudes", type=whole(5, 721), default=721)
    make.add_argument("--longitudes", type=whole(5, 1440), default=1440)
    make.add_argument("--steps-per-day", type=whole(1, 24), default=24)
    make.add_argument("--trend", type=float, default=0.15, help="kelvin per decade")
    make.add_argument("--seed", type=whole(0, 2**32 - 1), default=1)
    make.add_argument("--processes", type=whole(1, 1024), default=1)

    analyse = programs.add_parser("analyse", help="mean and trend by Dask, under Slurm where it is")
    analyse.add_argument("--data", type=Path, required=True, help="directory with the files")
    analyse.add_argument("--nodes", type=whole(1, 4096), default=1)
    analyse.add_argument("--workers-per-node", type=whole(1, 1024), default=1)
    analyse.add_argument("--worker-mib", type=whole(256, 2**20), default=4096, help="memory of a worker")
    analyse.add_argument("--partition", help="of Slurm, with nodes beside those of a job that this runs in (default: Slurm's)")
    analyse.add_argument("--dashboard-port", type=whole(0, 65535), default=8787, help="on 127.0.0.1; 0 for any")
    analyse.add_argument("--wait", type=whole(1, 86400), default=1200, help="seconds until all workers must be there")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    given = arguments(words)
    try:
        if given.program == "make":
            from .make import Size, Truth, make

            size = Size(given.years, given.latitudes, given.longitudes, given.steps_per_day)
            result = make(given.data, size, Truth(given.trend, given.seed), given.processes)
        else:
            from .analyse import analyse
            from .workers import Wanted

            wanted = Wanted(
                nodes=given.nodes,
                workers_per_node=given.workers_per_node,
                worker_mib=given.worker_mib,
                dashboard_port=given.dashboard_port,
                wait_seconds=given.wait,
                logs=given.data.parent / "dask-logs",
                partition=given.partition,
            )
            result = analyse(given.data, wanted)
    except (DataError, OSError) as error:
        print(f"sst-analysis: {error}", file=sys.stderr)
        return 1
    print(json.dumps({"schema": SCHEMA, **result}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
