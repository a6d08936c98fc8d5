"""The trend of yearly means, by least squares."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Trend:
    """Kelvin per decade, with the standard error of years that are independent of one another; None where it has none."""

    slope: float | None
    error: float | None


def trend_of(years: list[int], means: list[float]) -> Trend:
    if len(years) < 3:
        return Trend(None, None)
    x = np.array(years, dtype=float) - np.mean(years)
    y = np.array(means)
    slope = float(x @ y / (x @ x))
    residuals = y - y.mean() - slope * x
    error = float(np.sqrt(residuals @ residuals / (len(years) - 2) / (x @ x)))
    return Trend(10 * slope, 10 * error)
