"""A CloudFormation template: its parameters, conditions, references and the creation order of its resources."""

from __future__ import annotations

import base64
import functools
import ipaddress
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from .aws import LabError


class NoValue:
    """The result of `AWS::NoValue`: the key or item with it is dropped."""


NO_VALUE = NoValue()
_SUB = re.compile(r"\$\{(!?)([^}]*)\}")
_DYNAMIC = re.compile(r"\{\{resolve:ssm:([^:}]+)(?::\d+)?\}\}")


@functools.lru_cache(maxsize=32)
def parse(text: str) -> dict[str, Any]:
    """The template's JSON, or YAML with the short forms of the functions (`!Ref`, `!GetAtt a.b`).

    Callers must not modify the result: it is cached, since waiters for a stack request it repeatedly.
    """
    try:
        return json.loads(text)
    except ValueError:
        return yaml.load(text, Loader=_Loader)


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """A YAML loader with the short forms, using libyaml, which is ten times as fast, if PyYAML has it."""


def _short_form(loader: yaml.SafeLoader, tag: str, node: yaml.Node) -> dict[str, Any]:
    if isinstance(node, yaml.ScalarNode):
        value: Any = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        value = loader.construct_mapping(node, deep=True)
    if tag == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {tag if tag in ("Ref", "Condition") else f"Fn::{tag}": value}


_Loader.add_multi_constructor("!", _short_form)
# Dates stay strings, such as a policy's `Version: 2012-10-17`.
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def references(value: Any) -> Iterator[str]:
    """Every name that a part of a template refers to by Ref, Fn::GetAtt or Fn::Sub."""
    if isinstance(value, list):
        for item in value:
            yield from references(item)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key == "Ref" and isinstance(inner, str):
                yield inner
            elif key == "Fn::GetAtt":
                yield inner[0] if isinstance(inner, list) else inner.split(".", 1)[0]
            elif key == "Fn::Sub":
                text, names = (inner[0], inner[1]) if isinstance(inner, list) else (inner, {})
                yield from references(names)
                for literal, name in _SUB.findall(text):
                    if not literal and name.split(".")[0] not in names:
                        yield name.split(".")[0]
            else:
                yield from references(inner)


def creation_order(resources: dict[str, dict[str, Any]]) -> list[str]:
    """Logical ids in dependency order; otherwise in template order.

CloudFormation starts everything without dependencies at once, so resources must not rely on their order in the template.
    """
    order: list[str] = []
    visiting: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        if name in visiting:
            raise LabError(f"Circular dependency between resources: [{', '.join(visiting[visiting.index(name) :])}]")
        visiting.append(name)
        definition = resources[name]
        depends = definition.get("DependsOn", [])
        for needed in [
            *([depends] if isinstance(depends, str) else depends),
            *references(definition.get("Properties")),
        ]:
            if needed in resources and needed != name:
                visit(needed)
        visiting.pop()
        order.append(name)

    for name in sorted(resources, key=lambda name: _RANKS.get(resources[name].get("Type", ""), 1)):
        visit(name)
    return order


# Types that check others at creation are created as early as the template allows; one that waits for others, as late.
_RANKS = {"AWS::FSx::FileSystem": 0, "AWS::CloudFormation::WaitCondition": 2}


class Resolver:
    """Resolves the functions of one template for one stack.

    `ref` and `attribute` answer for resources; `imports` for exports of other stacks; `ssm` for values in Parameter Store.
    """

    def __init__(
        self,
        template: dict[str, Any],
        parameters: dict[str, Any],
        pseudo: dict[str, Any],
        *,
        ref: Callable[[str], Any],
        attribute: Callable[[str, str], Any],
        imports: Callable[[str], str],
        ssm: Callable[[str], str],
        zones: Callable[[str], list[str]],
    ) -> None:
        self.template = template
        self.names = {**pseudo, **parameters}
        self.ref, self.attribute, self.imports, self.ssm, self.zones = ref, attribute, imports, ssm, zones

    def resolve(self, value: Any) -> Any:
        """`value` with every function resolved."""
        if isinstance(value, list):
            return [item for item in map(self.resolve, value) if item is not NO_VALUE]
        if isinstance(value, str):
            return _DYNAMIC.sub(lambda match: self.ssm(match.group(1)), value)
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            name, argument = next(iter(value.items()))
            if name == "Ref":
                return self._name(argument)
            if name.startswith("Fn::"):
                return self._function(name, argument)
        resolved = {key: self.resolve(inner) for key, inner in value.items()}
        return {key: inner for key, inner in resolved.items() if inner is not NO_VALUE}

    def condition(self, name: str) -> bool:
        """The value of a named condition."""
        conditions = self.template.get("Conditions", {})
        if name not in conditions:
            raise LabError(f"Template error: unresolved condition {name}")
        return self._truth(conditions[name])

    def check_rules(self) -> None:
        """Reject the parameters if an assertion of the template's rules fails."""
        for name, rule in self.template.get("Rules", {}).items():
            if "RuleCondition" in rule and not self._truth(rule["RuleCondition"]):
                continue
            for assertion in rule["Assertions"]:
                if not self._truth(assertion["Assert"]):
                    raise LabError(
                        f"Template validation error in rule {name}: {assertion.get('AssertDescription', '')}"
                    )

    def _name(self, name: str) -> Any:
        return self.names[name] if name in self.names else self.ref(name)

    def _truth(self, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        name, argument = next(iter(value.items()))
        if name == "Condition":
            return self.condition(argument)
        if name == "Fn::And":
            return all(map(self._truth, argument))
        if name == "Fn::Or":
            return any(map(self._truth, argument))
        if name == "Fn::Not":
            return not self._truth(argument[0])
        if name == "Fn::Equals":
            left, right = map(self.resolve, argument)
            return _text(left) == _text(right)
        if name == "Fn::Contains":
            return _text(self.resolve(argument[1])) in map(_text, self.resolve(argument[0]))
        raise LabError(f"fsxbench lab: condition function {name} is not supported")

    def _function(self, name: str, argument: Any) -> Any:
        if name == "Fn::GetAtt":
            resource, attribute = argument if isinstance(argument, list) else argument.split(".", 1)
            return self.attribute(resource, self.resolve(attribute))
        if name == "Fn::If":
            return self.resolve(argument[1] if self.condition(argument[0]) else argument[2])
        if name == "Fn::Sub":
            return self._substitute(argument)
        value = self.resolve(argument)
        if name == "Fn::Join":
            return value[0].join(map(_text, value[1]))
        if name == "Fn::Select":
            index, items = int(value[0]), value[1]
            if not 0 <= index < len(items):
                raise LabError(f"Template error: Fn::Select cannot select nonexistent value at index {index}")
            return items[index]
        if name == "Fn::Split":
            return value[1].split(value[0])
        if name == "Fn::Base64":
            return base64.b64encode(value.encode()).decode()
        if name == "Fn::ImportValue":
            return self.imports(value)
        if name == "Fn::GetAZs":
            return self.zones(value or self.names["AWS::Region"])
        if name == "Fn::FindInMap":
            found = self.template.get("Mappings", {})
            for key in value:
                if key not in found:
                    raise LabError(f"Template error: Unable to get mapping for {'::'.join(map(str, value))}")
                found = found[key]
            return found
        if name == "Fn::Cidr":
            network = ipaddress.ip_network(value[0])
            bits = int(value[2])
            return [
                str(part)
                for part, _ in zip(network.subnets(new_prefix=network.max_prefixlen - bits), range(int(value[1])))
            ]
        if name == "Fn::ToJsonString":
            return json.dumps(value, separators=(",", ":"))
        if name == "Fn::Length":
            return len(value)
        raise LabError(f"fsxbench lab: template function {name} is not supported")

    def _substitute(self, argument: Any) -> str:
        text, extra = (argument[0], argument[1]) if isinstance(argument, list) else (argument, {})

        def replace(match: re.Match[str]) -> str:
            literal, name = match.groups()
            if literal:
                return "${" + name + "}"
            if name in extra:
                return _text(self.resolve(extra[name]))
            if "." in name and name not in self.names:
                return _text(self.attribute(*name.split(".", 1)))
            return _text(self._name(name))

        return self.resolve(_SUB.sub(replace, text))


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
