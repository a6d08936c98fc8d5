"""Generates sea-surface temperature with a known trend, in the layout, chunks and compression of ERA5's files."""

import calendar
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
import xarray

from .layout import CHUNK_PARTS, CHUNK_STEPS, DEFLATE_LEVEL, VARIABLE, month_name

FIRST_YEAR = 1990
#: Kelvin: the anomaly of a whole year, which all cells share, and of a patch of cells on one day.
YEAR_NOISE = 0.05
PATCH_NOISE = 0.5
PATCH_CELLS = 2
#: ERA5's values come from GRIB, which packs a field into integers: neighbours have equal low bits, and deflate finds them.
PRECISION = 1 / 512


@dataclass(frozen=True)
class Size:
    years: int
    latitudes: int
    longitudes: int
    steps_per_day: int


@dataclass(frozen=True)
class Truth:
    #: Kelvin per decade.
    trend: float
    seed: int


def year_anomaly(truth: Truth, year: int) -> float:
    return YEAR_NOISE * np.random.default_rng([truth.seed, year]).standard_normal()


def land(latitudes: int, longitudes: int) -> np.ndarray:
    """Cells without a temperature: continents whose coast winds with the latitude, some 30 % of the area."""
    latitude = np.linspace(90, -90, latitudes)[:, None]
    longitude = np.arange(longitudes)[None, :] * 360 / longitudes
    coast = 55 + 25 * np.cos(np.radians(3 * latitude))
    return (np.abs(longitude - 80) < coast * 0.6) | (np.abs(longitude - 280) < coast * 0.4)


def month_field(size: Size, truth: Truth, year: int, month: int) -> tuple[np.ndarray, np.ndarray]:
    """Hours since 1900 and the temperatures of a month."""
    days = calendar.monthrange(year, month)[1]
    hours = 24 * (date(year, month, 1) - date(1900, 1, 1)).days
    steps = np.arange(days * size.steps_per_day) / size.steps_per_day
    year_days = 366 if calendar.isleap(year) else 365
    first_day = sum(calendar.monthrange(year, one)[1] for one in range(1, month))
    part_of_year = (first_day + steps) / year_days

    latitude = np.radians(np.linspace(90, -90, size.latitudes))
    base = 271.35 + 29 * np.cos(latitude) ** 2
    since = truth.trend / 10 * (year - FIRST_YEAR + part_of_year) + year_anomaly(truth, year)
    random = np.random.default_rng([truth.seed, year, month])
    patches = (-(-size.latitudes // PATCH_CELLS), -(-size.longitudes // PATCH_CELLS))
    dry = land(size.latitudes, size.longitudes)

    # Step by step, since a month of ERA5's grid has 3 GB.
    field = np.empty((len(steps), size.latitudes, size.longitudes), dtype=np.float32)
    for index, of_year in enumerate(part_of_year):
        if index % size.steps_per_day == 0:
            weather = (PATCH_NOISE * random.standard_normal(patches)).repeat(PATCH_CELLS, axis=0).repeat(PATCH_CELLS, axis=1)
            weather = weather[: size.latitudes, : size.longitudes]
        season = 4 * np.sin(latitude) * np.cos(2 * np.pi * (of_year - 0.65))
        now = weather + (base + season + since[index])[:, None]
        field[index] = np.round(now / PRECISION) * PRECISION
        field[index, dry] = np.nan
    return hours + 24 * steps, field


def write_month(directory: Path, size: Size, truth: Truth, year: int, month: int) -> tuple[int, int]:
    """Writes one file; returns the bytes that it has, and those of the temperatures in it."""
    hours, field = month_field(size, truth, year, month)
    path = directory / month_name(year, month)
    part = path.with_suffix(".part")
    latitude = ("latitude", np.linspace(90, -90, size.latitudes), {"units": "degrees_north"})
    longitude = ("longitude", np.arange(size.longitudes) * 360 / size.longitudes, {"units": "degrees_east"})
    data = xarray.Dataset(
        {VARIABLE: (("time", "latitude", "longitude"), field, {"units": "K"})},
        {
            "time": ("time", hours, {"units": "hours since 1900-01-01 00:00:00", "calendar": "gregorian"}),
            "latitude": latitude,
            "longitude": longitude,
        },
        {
            "title": "Generated sea-surface temperature: no observation",
            "trend_kelvin_per_decade": truth.trend,
            "seed": truth.seed,
        },
    )
    chunks = (min(CHUNK_STEPS, len(hours)), -(-size.latitudes // CHUNK_PARTS), -(-size.longitudes // CHUNK_PARTS))
    packed = {"zlib": True, "complevel": DEFLATE_LEVEL, "shuffle": True, "chunksizes": chunks, "_FillValue": np.float32(np.nan)}
    data.to_netcdf(part, engine="h5netcdf", encoding={VARIABLE: packed})
    # An interrupted run leaves no file that looks whole.
    part.rename(path)
    return path.stat().st_size, field.nbytes


def make(directory: Path, size: Size, truth: Truth, processes: int) -> dict:
    """Writes all months, in several processes; the same arguments give the same temperatures."""
    directory.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    months = [(year, month) for year in range(FIRST_YEAR, FIRST_YEAR + size.years) for month in range(1, 13)]
    with ProcessPoolExecutor(processes) as pool:
        written = list(pool.map(_write, [(directory, size, truth, *month) for month in months]))
    return {
        "program": "make",
        "seconds": time.perf_counter() - began,
        "files": len(months),
        "file_bytes": sum(stored for stored, _ in written),
        "logical_bytes": sum(logical for _, logical in written),
        "trend_k_per_decade": truth.trend,
        "seed": truth.seed,
    }


def _write(arguments: tuple) -> tuple[int, int]:
    return write_month(*arguments)
