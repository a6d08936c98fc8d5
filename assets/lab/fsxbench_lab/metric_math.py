"""Metric math, SEARCH and Metrics Insights queries, in the forms that fsxbench's dashboards and alarms have.

Source of the semantics: CloudWatch user guide, metric math and search expressions. Any other form is refused by name.
"""

from __future__ import annotations

import ast
import functools
import itertools
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any, Protocol


class UnsupportedError(Exception):
    """An expression of a form that is not evaluated."""


@dataclass(frozen=True)
class Series:
    """Values by the start of each period, in seconds since the epoch. Missing values have no entry."""

    label: str
    period: int
    points: dict[int, float]
    dimensions: dict[str, str] = field(default_factory=dict)


Value = float | Series | list[Series]
Query = dict[str, Any]
Name = tuple[str, str, frozenset[tuple[str, str]]]


class Source(Protocol):
    """Published metrics."""

    def names(self) -> Iterable[Name]:
        """Namespace, name and dimensions of each metric."""

    def periods(self, metric: Name, period: int, stat: str, unit: str | None = None) -> dict[int, float]:
        """Start of each period with data, and its statistic."""


def answers(queries: list[Query], source: Source, start: float, end: float) -> Iterator[tuple[Query, Series]]:
    """The time series of each query that returns data; an expression may have several."""
    scope = _Scope({query["Id"]: query for query in queries}, source, start, end)
    for query in queries:
        if not query.get("ReturnData", True):
            continue
        found = scope.value(query["Id"])
        if isinstance(found, float):
            raise UnsupportedError(f"a number in the place of a series: {query['Expression']}")
        several = isinstance(found, list)
        for one in found if isinstance(found, list) else [found]:
            yield query, replace(one, label=_label(query.get("Label"), one, several and len(found) > 1))


def _label(label: str | None, one: Series, several: bool) -> str:
    """The label with its dynamic parts; several series of one label have their own names appended."""
    if not label:
        return one.label
    text = re.sub(r"\$\{PROP\('Dim\.([^']+)'\)\}", lambda match: one.dimensions.get(match[1], ""), label).strip()
    return f"{text} {one.label}" if several and text == label else text


_OPERATORS: dict[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,  # cspell:disable-line
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.And: lambda a, b: a != 0 and b != 0,
    ast.Or: lambda a, b: a != 0 or b != 0,
}

# Each takes the existing values and the number of series: a missing value counts as 0 in a mean.
_REDUCE: dict[str, Callable[[list[float], int], float]] = {
    "SUM": lambda values, _: sum(values),
    "AVG": lambda values, of: sum(values) / of,
    "MAX": lambda values, _: max(values),
    "MIN": lambda values, _: min(values),
}

_STATISTICS = {"SUM": "Sum", "AVG": "Average", "MAX": "Maximum", "MIN": "Minimum"}

_CLOCK = {"MINUTE": "%M", "HOUR": "%H"}


@functools.lru_cache
def _parsed(text: str) -> ast.expr:
    """Metric math has Python's grammar, with other names of three operators."""
    words = {"AND": "and", "OR": "or", "&&": "and", "||": "or", "^": "**"}
    python = re.sub(r"'[^']*'|\bAND\b|\bOR\b|&&|\|\||\^", lambda match: words.get(match[0], match[0]), text)
    try:
        return ast.parse(python.strip(), mode="eval").body
    except SyntaxError as error:
        raise UnsupportedError(f"{text} ({error.msg})") from error


@dataclass(frozen=True)
class _Scope:
    queries: dict[str, Query]
    source: Source
    start: float
    end: float

    def value(self, name: str) -> Value:
        query = self.queries.get(name)
        if query is None:
            raise UnsupportedError(f"no metric or expression has the id {name}")
        if "Expression" in query:
            text, period = query["Expression"], int(query.get("Period") or 60)
            return self.selected(text, period) if text.startswith("SELECT") else self.evaluated(_parsed(text), period)
        asked = query["MetricStat"]
        metric = asked["Metric"]
        dimensions = {item["Name"]: item["Value"] for item in metric.get("Dimensions", [])}
        name = metric["Namespace"], metric["MetricName"], frozenset(dimensions.items())
        return self.series(name, int(asked["Period"]), asked["Stat"], asked.get("Unit"))

    def series(self, metric: Name, period: int, stat: str, unit: str | None = None) -> Series:
        return Series(metric[1], period, self.source.periods(metric, period, stat, unit), dict(metric[2]))

    def evaluated(self, node: ast.expr, period: int) -> Value:
        each = functools.partial(self.evaluated, period=period)
        match node:
            case ast.Constant(value=int() | float()):
                return float(node.value)
            case ast.Name():
                return self.value(node.id)
            case ast.List():
                return [one for item in node.elts for one in _several(each(item))]
            case ast.UnaryOp(op=ast.USub()):
                return _pointwise(operator.sub, 0.0, each(node.operand))
            case ast.BinOp() if type(node.op) in _OPERATORS:
                return _pointwise(_OPERATORS[type(node.op)], each(node.left), each(node.right))
            case ast.Compare(ops=[operation], comparators=[right]) if type(operation) in _OPERATORS:
                return _pointwise(_OPERATORS[type(operation)], each(node.left), each(right))
            case ast.BoolOp():
                return functools.reduce(functools.partial(_pointwise, _OPERATORS[type(node.op)]), map(each, node.values))
            case ast.Call(func=ast.Name(id="SEARCH")):
                return self.searched(node, period)
            case ast.Call(func=ast.Name(id=name), keywords=[]):
                return self.called(name, [each(argument) for argument in node.args], period)
        raise UnsupportedError(ast.unparse(node))

    def called(self, name: str, arguments: list[Value], period: int) -> Value:
        match name, arguments:
            case _, [of] if name in _REDUCE:
                return _reduced(name, of, period)
            case "PERIOD", [Series() as of]:
                return float(of.period)
            case "METRIC_COUNT", [Series() | list() as of]:
                return float(len(_several(of)))
            case _, [Series() as of] if name in _CLOCK:
                # The time at the start of each period, with or without a data point.
                first = math.ceil(self.start / of.period) * of.period
                times = range(first, math.ceil(self.end), of.period)
                return replace(of, points={at: _clock(at, _CLOCK[name]) for at in times})
            case "IF", [Series() as condition, (float() | Series()) as yes, *rest] if len(rest) <= 1:
                return _chosen(condition, yes, rest)
        raise UnsupportedError(f"the function {name} of these arguments")

    def searched(self, call: ast.Call, period: int) -> list[Series]:
        match call.args:
            case [ast.Constant(value=str() as text), ast.Constant(value=str() as stat)]:
                return self.found(text, stat, period)
            case [ast.Constant(value=str() as text), ast.Constant(value=str() as stat), ast.Constant(value=int() as own)]:
                return self.found(text, stat, own)
        raise UnsupportedError(ast.unparse(call))

    def found(self, search: str, stat: str, period: int) -> list[Series]:
        """Metrics with exactly the dimensions of the search and with data, sorted by label."""
        form = re.fullmatch(r"\{([^{}]+)\} *(.*)", search.strip())
        terms = re.findall(r'([A-Za-z][\w.]*)=(?:"([^"]*)"|([\w-]+))(?: +|$)', form[2]) if form else []
        if form is None or "".join(re.split(r'[A-Za-z][\w.]*=(?:"[^"]*"|[\w-]+)(?: +|$)', form[2])):
            raise UnsupportedError(f"a SEARCH for {search}")
        namespace, *dimensions = (word.strip() for word in form[1].split(","))
        found = []
        for metric in self.source.names():
            own = dict(metric[2])
            if metric[0] != namespace or own.keys() != set(dimensions):
                continue
            words = {"MetricName": metric[1], **own}
            if all(
                words.get(key) == exact if exact else matches_partly(part, words.get(key, ""))
                for key, exact, part in terms
            ):
                one = self.series(metric, period, stat)
                label = " ".join([metric[1], *(own[name] for name in dimensions)])
                found += [replace(one, label=label)] if one.points else []
        return sorted(found, key=lambda one: one.label)

    def selected(self, text: str, period: int) -> list[Series]:
        """A query of Metrics Insights over all parts of each resource: one line for each, named by the resource."""
        form = re.fullmatch(
            r'SELECT (\w+)\((\w+)\) FROM SCHEMA\("([^"]+)"((?:, \w+)+)\) WHERE (.+?)(?: GROUP BY (\w+))?', text
        )
        conditions = re.findall(r"(?:^| OR )(\w+) = '([^']*)'", form[5]) if form else []
        if form is None or form[1] not in _REDUCE or any(key != (form[6] or key) for key, _ in conditions):
            raise UnsupportedError(text)
        if not conditions or (len(conditions) > 1 and form[6] is None):
            raise UnsupportedError(text)
        function, metric, namespace, dimensions = form[1], form[2], form[3], form[4].replace(" ", "")
        lines = []
        for key, value in conditions:
            search = f'{{{namespace}{dimensions}}} MetricName="{metric}" {key}="{value}"'
            found = _reduced(function, self.found(search, _STATISTICS[function], period), period)
            lines.append(replace(found, label=value))
        return lines


def _several(value: Value) -> list[Series]:
    if isinstance(value, float):
        raise UnsupportedError("a number in a list of series")
    return value if isinstance(value, list) else [value]


def _at(value: float | Series, time: int) -> float:
    return value if isinstance(value, float) else value.points.get(time, 0.0)


def _pointwise(apply: Callable[[float, float], float], left: Value, right: Value) -> Value:
    """Point by point. If only one of two series has a point, the other counts as 0 (user guide, basic arithmetic)."""
    if isinstance(left, list) and isinstance(right, list):
        raise UnsupportedError("an operator between two lists of series")
    if isinstance(left, list):
        return [one for item in left for one in _several(_pointwise(apply, item, right))]
    if isinstance(right, list):
        return [one for item in right for one in _several(_pointwise(apply, left, item))]
    series = [value for value in (left, right) if isinstance(value, Series)]
    if not series:
        return float(apply(left, right))  # type: ignore[arg-type]
    times = sorted(set(itertools.chain.from_iterable(one.points for one in series)))
    return replace(series[0], points=_numbers((time, lambda t=time: apply(_at(left, t), _at(right, t))) for time in times))


def _numbers(values: Iterable[tuple[int, Callable[[], float]]]) -> dict[int, float]:
    """Values at some times; a result that is not a number, such as a division by zero, is missing."""
    points = {}
    for time, value in values:
        try:
            number = float(value())
        except (ArithmeticError, TypeError):
            continue
        if math.isfinite(number):
            points[time] = number
    return points


def _reduced(name: str, of: Value, period: int) -> Value:
    """One series from the existing points of several, and one number from a series."""
    if isinstance(of, float):
        raise UnsupportedError(f"{name} of a number")
    apply = _REDUCE[name]
    if isinstance(of, Series):
        return float(apply(list(of.points.values()), len(of.points))) if of.points else of
    # A search without results means no data, not zero.
    points: dict[int, list[float]] = {}
    for one in of:
        for time, value in one.points.items():
            points.setdefault(time, []).append(value)
    numbers = {time: float(apply(points[time], len(of))) for time in sorted(points)}
    return Series(name, of[0].period if of else period, numbers)


def _clock(at: int, form: str) -> float:
    return float(datetime.fromtimestamp(at, timezone.utc).strftime(form))


def _chosen(condition: Series, yes: float | Series, rest: list[Value]) -> Series:
    """True without a point of the chosen series is 0, false is no point (user guide, using IF expressions)."""
    points = {}
    for time, value in condition.points.items():
        if value != 0:
            points[time] = _at(yes, time)
            continue
        for no in rest:
            if isinstance(no, list):
                raise UnsupportedError("IF with a list of series")
            if isinstance(no, float) or time in no.points:
                points[time] = _at(no, time)
    return replace(condition, points=points)


def _tokens(value: str) -> list[tuple[str, bool]]:
    """Tokens, each with whether it begins a word: CloudWatch splits at other characters, at digits, and before capitals."""
    token = re.compile(r"\d+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
    words = re.findall(r"[A-Za-z0-9]+", value)
    return [(text, index == 0) for word in words for index, text in enumerate(token.findall(word))]


def matches_partly(term: str, value: str) -> bool:
    """True if a term is a token of a value, or several in a row. Tokens of one word match with their case (user guide, tokenization)."""
    wanted, there = _tokens(term), _tokens(value)
    starts = [start for _, start in wanted] + [True]

    def same(index: int, own: str) -> bool:
        text = wanted[index][0]
        alone = starts[index] and starts[index + 1]
        return own.lower() == text.lower() if alone else own == text

    return any(
        all(same(index, there[begin + index][0]) for index in range(len(wanted)))
        for begin in range(len(there) - len(wanted) + 1)
    )
