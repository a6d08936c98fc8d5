"""The layout of ERA5's hourly sea-surface temperature in the archive of NCAR, which generated files share.

One file for each month: https://github.com/awslabs/open-data-registry/blob/main/datasets/nsf-ncar-era5.yaml
"""

import calendar
import re
from pathlib import Path

VARIABLE = "SSTK"
#: Chunks of time are 27 hours, of latitude and longitude a fifth of the grid.
CHUNK_STEPS = 27
CHUNK_PARTS = 5
DEFLATE_LEVEL = 1

_NAME = re.compile(r"e5\.oper\.an\.sfc\.128_034_sstk\.ll025sc\.(\d{4})(\d{2})0100_\d{8}23\.nc")


class DataError(Exception):
    """The data or the arguments are not what the analysis needs; the message says what to do."""


def month_name(year: int, month: int) -> str:
    last = calendar.monthrange(year, month)[1]
    return f"e5.oper.an.sfc.128_034_sstk.ll025sc.{year}{month:02}0100_{year}{month:02}{last:02}23.nc"


def monthly_files(directory: Path) -> list[Path]:
    """The files of sea-surface temperature below a directory, by month."""
    found = {match.groups(): path for path in directory.rglob("*.nc") if (match := _NAME.fullmatch(path.name))}
    if not found:
        raise DataError(
            f"'--data' must be a directory with files such as {month_name(1990, 1)}, got {directory}, which has none: "
            "make them with 'sst-analysis make', or import ERA5's"
        )
    return [found[month] for month in sorted(found)]
