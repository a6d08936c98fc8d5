"""Metric math as CloudWatch documents it.

Values are those of the user guide, "Using math expressions with CloudWatch metrics" and "CloudWatch search expression syntax". None is a
time without a value, which the guide writes as a dash.
"""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from fsxbench_lab import metric_math

Points = list["float | None"]
START = int(datetime(2026, 11, 21, 10, tzinfo=timezone.utc).timestamp())
FS = "fs-0a1b2c3d4e5f60718"


class Published:
    """A value a minute of each metric, which is its sum."""

    def __init__(self, metrics: dict[metric_math.Name, Points]) -> None:
        self.metrics = metrics

    def names(self) -> list[metric_math.Name]:
        return list(self.metrics)

    def periods(self, metric: metric_math.Name, period: int, stat: str, unit: str | None = None) -> dict[int, float]:
        found: dict[int, float] = {}
        for minute, value in enumerate(self.metrics.get(metric, [])):
            if value is not None:
                start = START + minute * 60 // period * period
                found[start] = found.get(start, 0) + value
        return found


def name(metric: str, **dimensions: str) -> metric_math.Name:
    return "AWS/FSx", metric, frozenset(dimensions.items())


def evaluated(text: str, published: dict[metric_math.Name, Points], minutes: int = 5) -> list[Points]:
    """The series of an expression over the metrics without a dimension, which it names."""
    metrics = [
        {
            "Id": metric,
            "MetricStat": {"Metric": {"Namespace": "AWS/FSx", "MetricName": metric}, "Period": 60, "Stat": "Sum"},
            "ReturnData": False,
        }
        for _, metric, dimensions in published
        if not dimensions
    ]
    queries = [*metrics, {"Id": "e", "Expression": text}]
    answers = metric_math.answers(queries, Published(published), START, START + minutes * 60)
    return [[one.points.get(START + minute * 60) for minute in range(minutes)] for _, one in answers]


def of(text: str, **metrics: Points) -> list[Points]:
    return evaluated(text, {name(metric): points for metric, points in metrics.items()})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(metric1 < metric2)", [0, 0, 1, 0, None]),
        ("(metric1 >= 30)", [1, 0, 0, 0, None]),
        ("(metric1 > 15 AND metric2 > 15)", [1, 0, 0, 0, None]),
        ("(metric1 > 15 && metric2 > 15)", [1, 0, 0, 0, None]),
    ],
)
def test_comparison_and_logical_operators(text: str, expected: Points) -> None:
    assert of(text, metric1=[30, 20, 0, 0], metric2=[20, None, 20, None]) == [expected]


@pytest.mark.parametrize(
    ("text", "metrics", "expected"),
    [
        (
            "IF(metric1, metric2, metric3)",
            {"metric2": [30, None, 0, 0, 30], "metric3": [0, 0, 20, None, 20]},
            [30, 0, 20, None, None],
        ),
        ("IF(metric1, 5, metric3)", {"metric3": [0, 0, 20, None, 20]}, [5, 5, 20, None, None]),
        ("IF(metric1, metric2, 5)", {"metric2": [30, None, 0, 0, 30]}, [30, 0, 5, 5, None]),
        # Without a third argument what is false is dropped, and any number but 0 is true.
        ("IF(metric1, 7)", {"metric1": [1, 0, -3, None, 2]}, [7, None, 7, None, 7]),
        ("IF(metric1 < 400, metric1)", {"metric1": [399, 400, 12, None, 500]}, [399, None, 12, None, None]),
        ("IF(metric1 < 400, 10, 2)", {"metric1": [399, 400, 12, None, 500]}, [10, 2, 10, None, 2]),
    ],
)
def test_if(text: str, metrics: dict[str, Points], expected: Points) -> None:
    assert of(text, **{"metric1": [1, 1, 0, 0, None], **metrics}) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Missing values count as 0 between two series, on either side.
        ("m1 + m2", [11, 2, None, 4, 9]),
        ("m2 - m1", [9, -2, None, -4, -3]),
        ("5 * m1", [5, 10, None, 20, 30]),
        ("-m1", [-1, -2, None, -4, -6]),
        ("m1 * (2 + 3 * 4 ^ 2)", [50, 100, None, 200, 300]),
        # A point that would be divided by 0 is dropped, also by a missing one.
        ("m1 / m2", [0.1, None, None, None, 2]),
        ("SUM([m1, m2])", [11, 2, None, 4, 9]),
        ("SUM(100 / [m1, m2])", [110, 50, None, 25, 100 / 6 + 100 / 3]),
        ("MAX([m1, m2])", [10, 2, None, 4, 6]),
        ("MIN([m1, m2])", [1, 2, None, 0, 3]),
        # A missing value is 0 in a mean.
        ("AVG([m1, m2])", [5.5, 1, None, 2, 4.5]),
        # A function of one series is a number.
        ("m1 - MIN(m1)", [0, 1, None, 3, 5]),
        ("m1 / SUM(m1)", [1 / 13, 2 / 13, None, 4 / 13, 6 / 13]),
        ("m1 / METRIC_COUNT([m1, m2])", [0.5, 1, None, 2, 3]),
        ("m1 / PERIOD(m1)", [1 / 60, 2 / 60, None, 4 / 60, 6 / 60]),
        # The clock, in UTC, at each period of the window.
        ("MINUTE(m1)", [0, 1, 2, 3, 4]),
        ("IF(HOUR(m1) == 10 AND (MINUTE(m1) == 2 OR MINUTE(m1) == 3), 1, 0)", [0, 0, 1, 1, 0]),
    ],
)
def test_arithmetic_and_functions(text: str, expected: Points) -> None:
    assert of(text, m1=[1, 2, None, 4, 6], m2=[10, None, None, 0, 3]) == [pytest.approx(expected)]


def test_an_array_and_a_number() -> None:
    assert of("[m1, m2] * 2", m1=[1, None], m2=[3, 4]) == [[2, None, None, None, None], [6, 8, None, None, None]]


TARGETS: dict[metric_math.Name, Points] = {
    name("StatOperations", FileSystemId=FS, StorageTargetId="MDT0000"): [10, 20, None, 40],
    name("StatOperations", FileSystemId=FS, StorageTargetId="MDT0001"): [1, 2, 3, None],
    name("StatOperations", FileSystemId=FS, StorageTargetId="OST0000"): [500, 500, 500, 500],
    name("StatOperations", FileSystemId=FS, StorageTargetId="MDT0002"): [],
    name("StatOperations", FileSystemId="fs-0ffffffffffffffff", StorageTargetId="MDT0000"): [7, 7, 7, 7],
    name("StatOperations", FileSystemId=FS): [9, 9, 9, 9],
}
SEARCH = (
    f"""SEARCH('{{AWS/FSx,FileSystemId,StorageTargetId}} MetricName="StatOperations" FileSystemId="{FS}" """
    "StorageTargetId=MDT', 'Sum', 60)"
)
SELECT = 'SELECT SUM(StatOperations) FROM SCHEMA("AWS/FSx", FileSystemId, StorageTargetId) WHERE FileSystemId = '
EACH = f"{SELECT}'{FS}' OR FileSystemId = 'fs-0ffffffffffffffff' GROUP BY FileSystemId"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SEARCH, [[10, 20, None, 40], [1, 2, 3, None]]),
        (f"SUM({SEARCH})", [[11, 22, 3, 40]]),
        (f"MAX({SEARCH}) / METRIC_COUNT({SEARCH})", [[5, 10, 1.5, 20]]),
        (f"AVG({SEARCH})", [[5.5, 11, 1.5, 20]]),
        (SEARCH.replace(", 60)", ", 120)"), [[30, None, 40, None], [3, None, 3, None]]),
        (f"SUM({SEARCH.replace('=MDT', '=XYZ')})", [[None, None, None, None]]),
        (f"{SELECT}'{FS}'", [[511, 522, 503, 540]]),
        (EACH, [[511, 522, 503, 540], [7, 7, 7, 7]]),
    ],
)
def test_searches_and_queries(text: str, expected: list[Points]) -> None:
    assert evaluated(text, TARGETS, 4) == expected


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("1 + 1", "a number in the place of a series"),
        ("RATE(m1)", "the function RATE"),
        ("SUM(m1, m1)", "the function SUM"),
        ("PERIOD([m1, m1])", "the function PERIOD"),
        ("m1 +", "m1"),
        ("m1.__class__", "m1.__class__"),
        ("m9", "no metric or expression has the id m9"),
        (f"{SEARCH} + {SEARCH}", "between two lists of series"),
        ("SEARCH('{AWS/FSx,FileSystemId} a OR b', 'Sum', 60)", "a SEARCH for"),
        ('SELECT MAX(CPUUtilization) FROM SCHEMA("AWS/FSx", FileSystemId)', "SELECT"),
        (EACH.replace(" GROUP BY FileSystemId", ""), "SELECT"),
    ],
)
def test_other_forms_are_refused_by_name(text: str, what: str) -> None:
    with pytest.raises(metric_math.UnsupportedError, match=what):
        evaluated(text, {**TARGETS, name("m1"): [1]})


@pytest.mark.parametrize(
    ("term", "value", "expected"),
    [
        *((term, "CustomCount1", True) for term in ("count", "Count", "COUNT", "CustomCount", "Count1")),
        *((term, "CustomCount1", False) for term in ("couNT", "customcount", "count1")),
        *((term, "SDBFailure", True) for term in ("sdb", "failure", "SDBFailure")),
        *((term, "Project2-trial333", True) for term in ("project", "2", "trial", "333")),
        *(
            (term, value, True)
            for term in ("network/errors", "network+errors", "network-errors", "Network_Errors")
            for value in ("Network-Errors-2", "NetworkErrors2")
        ),
        # Our dashboards search for the metadata targets, with any hexadecimal number.
        *(("MDT", target, True) for target in ("MDT0000", "MDT000a", "MDT0010")),
        ("MDT", "OST0000", False),
    ],
)
def test_partial_matches_of_a_search(term: str, value: str, expected: bool) -> None:
    assert metric_math.matches_partly(term, value) is expected
