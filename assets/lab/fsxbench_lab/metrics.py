"""GetMetricData with CloudWatch's semantics: periods aligned to their length, dimensions in any order, percentiles.

moto counts periods from StartTime, mixes namespaces and evaluates no metric math. Points are kept by metric: moto looks through all of them for each query, and
ListMetrics compares each with every other, which took minutes once a lab had published for half an hour.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from moto.cloudwatch.models import CloudWatchBackend, MetricAggregatedDatum, MetricDatumBase
from moto.cloudwatch.responses import CloudWatchResponse

from . import metric_math
from .aws import ApiError

_Metric = tuple[str, str, frozenset[tuple[str | None, str | None]]]

_PERCENTILE = re.compile(r"p(\d{1,2}(?:\.\d+)?|100)")


class _Points(list[MetricDatumBase]):
    """moto's list of points, which are found by their metric as well."""

    def __init__(self) -> None:
        super().__init__()
        self.by_metric: dict[_Metric, list[MetricDatumBase]] = defaultdict(list)

    def append(self, datum: MetricDatumBase) -> None:
        super().append(datum)
        same = self.by_metric[_metric_of(datum)]
        if same:
            # One list for all points: a lab has a hundred metrics, with a point every three seconds.
            datum.dimensions = same[0].dimensions
        same.append(datum)


def _metric_of(datum: MetricDatumBase) -> _Metric:
    return datum.namespace, datum.name, frozenset((item.name, item.value) for item in datum.dimensions)


def _by_metric(backend: CloudWatchBackend) -> dict[_Metric, list[MetricDatumBase]]:
    """Points of each metric, with those that moto's other services have made up by now."""
    found = dict(backend.metric_data.by_metric)
    for datum in backend.aws_metric_data:
        key = _metric_of(datum)
        found[key] = [*found.get(key, []), datum]
    return found


def _get_filtered_metrics(
    self: CloudWatchBackend, metric_name: str | None, namespace: str | None, dimensions: list[dict[str, str]]
) -> list[MetricDatumBase]:
    """One point of each metric that fits."""
    return [points[0] for points in _by_metric(self).values() if points[0].filter(namespace, metric_name, dimensions)]


def _get_metric_data(
    self: CloudWatchBackend,
    queries: list[dict[str, Any]],
    start_time: datetime,
    end_time: datetime,
    scan_by: str = "TimestampDescending",
) -> list[dict[str, Any]]:
    start, end = _utc(start_time), _utc(end_time)
    if start >= end:
        raise ApiError("ValidationError", "The parameter StartTime must be less than the parameter EndTime.")
    try:
        found = list(metric_math.answers(queries, _Published(_by_metric(self), start, end), start, end))
    except metric_math.UnsupportedError as error:
        raise ApiError("ValidationError", f"fsxbench lab: metric math is not supported: {error}") from error
    results = []
    for query, series in found:
        points = sorted(series.points.items(), reverse=scan_by == "TimestampDescending")
        results.append(
            {
                "id": query["Id"],
                "label": series.label,
                "timestamps": [datetime.fromtimestamp(second, timezone.utc) for second, _ in points],
                "values": [value for _, value in points],
                "status_code": "Complete",
            }
        )
    return results


@dataclass(frozen=True)
class _Published:
    """Published points of a window, as expressions read them."""

    by_metric: dict[_Metric, list[MetricDatumBase]]
    start: float
    end: float

    def names(self) -> Iterable[_Metric]:
        return self.by_metric

    def periods(self, metric: _Metric, period: int, stat: str, unit: str | None = None) -> dict[int, float]:
        first = math.floor(self.start / period) * period
        found: dict[int, list[Any]] = defaultdict(list)
        for datum in self.by_metric.get(metric, []):
            if unit and datum.unit != unit:
                continue
            moment = _utc(datum.timestamp)
            if first <= moment < self.end:
                found[math.floor(moment / period) * period].append(datum)
        return {second: _statistic(found[second], stat) for second in sorted(found)}


def _statistic(data: list[Any], name: str) -> float:
    sets = [_as_set(datum) for datum in data]
    total, count = sum(item[0] for item in sets), sum(item[3] for item in sets)
    known = {
        "Sum": lambda: total,
        "SampleCount": lambda: count,
        "Average": lambda: total / count,
        "Minimum": lambda: min(item[1] for item in sets),
        "Maximum": lambda: max(item[2] for item in sets),
    }
    if name in known:
        return float(known[name]())
    percentile = _PERCENTILE.fullmatch(name)
    if percentile is None or any(isinstance(datum, MetricAggregatedDatum) for datum in data):
        raise ApiError("ValidationError", f"fsxbench lab: statistic {name} is not supported")
    values = sorted(float(datum.value) for datum in data)
    return values[max(0, math.ceil(float(percentile.group(1)) / 100 * len(values)) - 1)]


def _as_set(datum: Any) -> tuple[float, float, float, float]:
    """Sum, minimum, maximum and count of a value or a set of values."""
    if isinstance(datum, MetricAggregatedDatum):
        return float(datum.sum), float(datum.min), float(datum.max), float(datum.sample_count)
    value = float(datum.value)
    return value, value, value, 1.0


def _utc(moment: datetime) -> float:
    return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp()


_init = CloudWatchBackend.__init__


def _init_with_points(self: CloudWatchBackend, region_name: str, account_id: str) -> None:
    _init(self, region_name, account_id)
    self.metric_data = _Points()


def install() -> None:
    """Patch moto's CloudWatch."""
    CloudWatchBackend.__init__ = _init_with_points
    CloudWatchBackend.get_filtered_metrics = _get_filtered_metrics
    CloudWatchBackend.get_metric_data = _get_metric_data
    # moto's method accepts a composite alarm's rule, but no action calls it.
    CloudWatchResponse.put_composite_alarm = CloudWatchResponse.put_metric_alarm
