"""Templates: functions, order, refusals."""

from __future__ import annotations

from typing import Any

import pytest
from fsxbench_lab.aws import LabError
from fsxbench_lab.template import NO_VALUE, Resolver, creation_order, parse


def resolver(template: dict[str, Any] | None = None, **names: Any) -> Resolver:
    return Resolver(
        template or {},
        names,
        {"AWS::Region": "eu-west-1", "AWS::NoValue": NO_VALUE},
        ref=lambda name: f"ref-{name}",
        attribute=lambda name, attribute: f"{name}/{attribute}",
        imports=lambda name: f"import-{name}",
        ssm=lambda name: f"ssm-{name}",
        zones=lambda region: [f"{region}a", f"{region}b"],
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"Ref": "Bucket"}, "ref-Bucket"),
        ({"Ref": "Size"}, 12),
        ({"Fn::GetAtt": ["Fs", "DNSName"]}, "Fs/DNSName"),
        ({"Fn::GetAtt": "Fs.Endpoint.Port"}, "Fs/Endpoint.Port"),
        ({"Fn::Join": ["-", ["a", {"Ref": "Size"}, True]]}, "a-12-true"),
        ({"Fn::Sub": "${Fs.DNSName}@${Size}${!Kept}${AWS::Region}"}, "Fs/DNSName@12${Kept}eu-west-1"),
        ({"Fn::Sub": ["${X}", {"X": {"Ref": "Size"}}]}, "12"),
        ({"Fn::Select": ["1", {"Fn::GetAZs": ""}]}, "eu-west-1b"),
        ({"Fn::Split": [",", "a,b"]}, ["a", "b"]),
        ({"Fn::Base64": "hi"}, "aGk="),
        ({"Fn::ImportValue": "X"}, "import-X"),
        ({"Fn::Cidr": ["10.0.0.0/16", 2, "8"]}, ["10.0.0.0/24", "10.0.1.0/24"]),
        ("{{resolve:ssm:/a/b}}", "ssm-/a/b"),
        ({"A": {"Ref": "AWS::NoValue"}, "B": [1, {"Ref": "AWS::NoValue"}]}, {"B": [1]}),
    ],
)
def test_functions_resolve_as_cloudformation_resolves_them(value: Any, expected: Any) -> None:
    assert resolver(Size=12).resolve(value) == expected


def test_a_function_that_is_not_known_is_refused_by_name() -> None:
    with pytest.raises(LabError, match="template function Fn::Transform is not supported"):
        resolver().resolve({"Fn::Transform": {"Name": "AWS::Include"}})


def test_conditions_choose() -> None:
    template = {"Conditions": {"Big": {"Fn::Not": [{"Fn::Equals": [{"Ref": "Size"}, "1"]}]}}}
    assert resolver(template, Size=12).resolve({"Fn::If": ["Big", "yes", "no"]}) == "yes"
    assert resolver(template, Size=1).resolve({"Fn::If": ["Big", "yes", "no"]}) == "no"


def test_a_rule_that_does_not_hold_refuses_the_parameters() -> None:
    assertion = {
        "Assert": {"Fn::Not": [{"Fn::Contains": [["1", "2"], {"Ref": "Version"}]}]},
        "AssertDescription": "too old",
    }
    template = {"Rules": {"Check": {"Assertions": [assertion]}}}
    resolver(template, Version="6").check_rules()
    with pytest.raises(LabError, match="too old"):
        resolver(template, Version="2").check_rules()


def test_a_resource_comes_after_what_it_refers_to_or_depends_on() -> None:
    resources = {
        "A": {"DependsOn": "D"},
        "B": {"Properties": {"X": {"Fn::Sub": "${C.Arn}"}}},
        "C": {"Properties": {"X": [{"Ref": "D"}]}},
        "D": {},
    }
    order = creation_order(resources)
    assert order.index("D") < order.index("A")
    assert order.index("D") < order.index("C") < order.index("B")


def test_a_circle_of_references_is_refused() -> None:
    circle = {"A": {"Properties": {"X": {"Ref": "B"}}}, "B": {"Properties": {"X": {"Ref": "A"}}}}
    with pytest.raises(LabError, match=r"Circular dependency between resources: \[A, B\]"):
        creation_order(circle)


def test_yaml_with_short_forms_is_read_and_dates_stay_text() -> None:
    text = "Resources:\n  A:\n    Type: T\n    Properties: {V: 2012-10-17, R: !Ref B, G: !GetAtt B.C.D, J: !Join ['', [!Ref X]]}\n"
    properties = parse(text)["Resources"]["A"]["Properties"]
    assert properties["V"] == "2012-10-17"
    assert properties["R"] == {"Ref": "B"}
    assert properties["G"] == {"Fn::GetAtt": ["B", "C.D"]}
    assert properties["J"] == {"Fn::Join": ["", [{"Ref": "X"}]]}


def test_a_template_is_read_once_however_often_it_is_asked_for() -> None:
    text = "Resources:\n  A:\n    Type: T\n"
    assert parse(text) is parse(text)
    assert parse(text) is not parse(text + " ")
