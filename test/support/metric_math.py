"""Answers GetMetricData by the emulator's interpreter: a request a line, as test/support/metricMath.ts writes it."""

import json
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "assets" / "lab"))
from fsxbench_lab import metric_math  # noqa: E402

ROLL_UP = {
    "Sum": sum,
    "SampleCount": sum,
    "Average": lambda values: sum(values) / len(values),
    "Maximum": max,
    "Minimum": min,
}


class Collected:
    """Collected series: each has the values of one statistic."""

    def __init__(self, series):
        self.found = {(self.name(one), one["statistic"]): one["points"] for one in series}

    @staticmethod
    def name(one):
        return one["namespace"], one["metric"], frozenset(one["dimensions"].items())

    def names(self):
        return {metric: None for metric, _ in self.found}

    def periods(self, metric, period, stat, unit=None):
        values = defaultdict(list)
        for time, value in self.found.get((metric, stat), []):
            values[int(time // period) * period].append(value)
        return {start: ROLL_UP[stat](values[start]) for start in sorted(values)}


for line in sys.stdin:
    request = json.loads(line)
    try:
        found = metric_math.answers(
            request["queries"], Collected(request["series"]), request["from"], request["to"]
        )
        answer = [{"id": query["Id"], "label": one.label, "points": list(one.points.items())} for query, one in found]
    except metric_math.UnsupportedError as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
