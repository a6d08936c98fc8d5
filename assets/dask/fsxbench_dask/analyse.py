"""Mean sea-surface temperature and its trend, as the FSx + ParallelCluster + Dask blog computed the mean."""

import calendar
import os
import socket
import tempfile
import time
from pathlib import Path

import cloudpickle
import dask
import distributed
import h5netcdf
import numpy as np
import xarray

import fsxbench_dask

from .layout import VARIABLE, DataError, monthly_files
from .trend import trend_of
from .workers import Wanted, has_slurm, started

#: Bytes of a task, about what Dask advises; each is a whole number of the file's own chunks.
TASK_BYTES = 64 * 2**20
#: Its library locks itself; with netCDF4, tasks and the worker that clears away finished ones met in HDF5 and failed.
ENGINE = "h5netcdf"


def analyse(directory: Path, wanted: Wanted) -> dict:
    files = monthly_files(directory)
    steps = _steps_of_task(files[0])
    # Workers have the library, but not this package.
    cloudpickle.register_pickle_by_value(fsxbench_dask)

    began = time.perf_counter()
    with started(wanted) as client:
        # Loading the libraries is part of the start, and its reads are not the data's.
        hosts = client.run(_load)
        ready = time.perf_counter()
        before = sum(client.run(_bytes_read).values())
        data = xarray.open_mfdataset(
            files,
            parallel=True,
            combine="nested",
            concat_dim="time",
            data_vars="minimal",
            coords="minimal",
            compat="override",
            join="override",
            chunks={"time": steps, "latitude": -1, "longitude": -1},
            engine=ENGINE,
        )
        opened = time.perf_counter()
        field = data[VARIABLE]
        # One function for each block: of xarray's own weighted mean, Dask reads every block several times.
        means = field.data.map_blocks(area_mean, data.latitude.values, drop_axis=(1, 2), dtype=float)
        series = xarray.DataArray(means.compute(), coords={"time": field.time})
        computed = time.perf_counter()
        read = sum(client.run(_bytes_read).values()) - before

    years = _yearly(series)
    whole = [year for year in years if year["whole"]]
    trend = trend_of([year["year"] for year in whole], [year["mean_k"] for year in whole])
    return {
        "program": "analyse",
        "versions": {
            "dask": dask.__version__,
            "distributed": distributed.__version__,
            "xarray": xarray.__version__,
            "h5netcdf": h5netcdf.__version__,
        },
        "scheduler": "slurm" if has_slurm() else "local",
        "nodes": len(set(hosts.values())),
        "workers": len(hosts),
        "files": len(files),
        "file_bytes": sum(file.stat().st_size for file in files),
        "logical_bytes": field.nbytes,
        "bytes_read": read,
        "start_s": ready - began,
        "open_s": opened - ready,
        "compute_s": computed - opened,
        "seconds": computed - ready,
        "mean_k": float(series.mean()),
        "years": [{"year": year["year"], "mean_k": year["mean_k"]} for year in whole],
        "trend_k_per_decade": trend.slope,
        "trend_error_k_per_decade": trend.error,
    }


def _steps_of_task(file: Path) -> int:
    with xarray.open_dataset(file, engine=ENGINE) as data:
        if VARIABLE not in data:
            raise DataError(f"{file} must have the variable {VARIABLE}, got {', '.join(map(str, data.data_vars))}")
        field = data[VARIABLE]
        own = (field.encoding.get("chunksizes") or [1])[0]
        return own * max(1, TASK_BYTES // (own * field[0].nbytes))


def area_mean(block: np.ndarray, latitude: np.ndarray) -> np.ndarray:
    """The mean of each step over the cells that have a value, each as large as the cosine of its latitude."""
    there = np.isfinite(block)
    weights = np.cos(np.radians(latitude))
    return np.where(there, block, 0).sum(axis=2, dtype=float) @ weights / (there.sum(axis=2) @ weights)


def _load() -> str:
    """Opens and reads a file without data, as the analysis will; returns the host."""
    data = xarray.Dataset({VARIABLE: ("latitude", [0.0])}, {"latitude": [0.0]})
    with tempfile.TemporaryDirectory() as folder:
        data.to_netcdf(Path(folder) / "empty.nc", engine=ENGINE)
        with xarray.open_dataset(Path(folder) / "empty.nc", chunks={}, engine=ENGINE) as opened:
            opened[VARIABLE].compute(scheduler="synchronous")
    return socket.gethostname()


def _bytes_read() -> int:
    """What this process has read by system calls; its sockets are not in it."""
    with open(f"/proc/{os.getpid()}/io") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("rchar:"))


def _yearly(series: xarray.DataArray) -> list[dict]:
    """The mean of each year; a year is whole if it has every step of its months, or the season would be in its mean."""
    times = series.time.values
    by_year = times.astype("datetime64[Y]").astype(int) + 1970
    day = np.timedelta64(1, "D")
    per_day = round(float(day / np.median(np.diff(times)))) if len(times) > 1 else 1
    found = []
    for year in np.unique(by_year):
        values = series.values[by_year == year]
        expected = per_day * (366 if calendar.isleap(int(year)) else 365)
        found.append({"year": int(year), "mean_k": float(values.mean()), "whole": len(values) == expected})
    return found
