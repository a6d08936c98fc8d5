"""Dask workers: jobs of Slurm where it is, else processes of this machine."""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dask.distributed import Client, LocalCluster

from .layout import DataError

#: Without it HDF5 refuses files of file systems that have no locks.
ENVIRONMENT = {"HDF5_USE_FILE_LOCKING": "FALSE"}
#: On a Nitro instance this is the id of the instance.
ASSET_TAG = Path("/sys/devices/virtual/dmi/id/board_asset_tag")


@dataclass(frozen=True)
class Wanted:
    nodes: int
    #: On each node; one thread each, since the NetCDF library lets one thread of a process in at a time.
    workers_per_node: int
    worker_mib: int
    dashboard_port: int
    wait_seconds: int
    logs: Path
    #: Of Slurm; None for its default. From within a job that has all nodes of one, another is needed.
    partition: str | None


def has_slurm() -> bool:
    """True if a controller of Slurm answers: its programs alone may be there without one."""
    if shutil.which("sinfo") is None:
        return False
    try:
        return subprocess.run(["sinfo", "--noheader"], capture_output=True, timeout=30).returncode == 0
    except subprocess.TimeoutExpired:
        return False


@contextmanager
def started(wanted: Wanted):
    """A client of as many workers as are wanted; they are gone after it."""
    os.environ.update(ENVIRONMENT)
    dashboard = f"127.0.0.1:{wanted.dashboard_port}"
    cluster = _slurm(wanted, dashboard) if has_slurm() else _local(wanted, dashboard)
    with cluster, Client(cluster) as client:
        count = wanted.nodes * wanted.workers_per_node
        try:
            client.wait_for_workers(count, timeout=wanted.wait_seconds)
        except TimeoutError:
            there = len(client.scheduler_info(n_workers=-1)["workers"])
            raise DataError(
                f"{there} of {count} workers came within {wanted.wait_seconds} s: 'squeue' shows what the jobs wait for, "
                f"{wanted.logs} has their output; --wait sets the time"
            ) from None
        _say_dashboard(cluster.dashboard_link)
        yield client


def _slurm(wanted: Wanted, dashboard: str):
    from dask_jobqueue import SLURMCluster

    wanted.logs.mkdir(parents=True, exist_ok=True)
    workers = wanted.workers_per_node
    cluster = SLURMCluster(
        queue=wanted.partition,
        cores=workers,
        processes=workers,
        memory=f"{workers * wanted.worker_mib} MiB",
        python=sys.executable,
        job_extra_directives=["--nodes=1", "--exclusive"],
        job_script_prologue=[f"export {name}={value}" for name, value in ENVIRONMENT.items()],
        log_directory=str(wanted.logs),
        scheduler_options={"dashboard_address": dashboard},
    )
    cluster.scale(jobs=wanted.nodes)
    return cluster


def _local(wanted: Wanted, dashboard: str) -> LocalCluster:
    if wanted.nodes > 1:
        raise DataError(f"'--nodes' must be 1 without Slurm (sinfo finds no controller), got {wanted.nodes}")
    return LocalCluster(
        n_workers=wanted.workers_per_node,
        threads_per_worker=1,
        memory_limit=f"{wanted.worker_mib} MiB",
        dashboard_address=dashboard,
    )


def _say_dashboard(link: str) -> None:
    # The link of a cluster of jobs names the address that its workers use; the dashboard itself listens on 127.0.0.1 alone.
    port = link.rsplit(":", 1)[-1].split("/")[0]
    print(f"sst-analysis: Dask's dashboard is http://127.0.0.1:{port}/status on this computer", file=sys.stderr)
    instance = ASSET_TAG.read_text().strip() if ASSET_TAG.exists() else ""
    if instance.startswith("i-"):
        print(
            f"sst-analysis: to reach it from yours: aws ssm start-session --target {instance} "
            "--document-name AWS-StartPortForwardingSession "
            f"--parameters portNumber={port},localPortNumber={port}",
            file=sys.stderr,
        )
