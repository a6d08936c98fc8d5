"""The engine's interface to resource types, and the generic type used by most of them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..aws import Emulator, LabError, call

Properties = dict[str, Any]


@dataclass(frozen=True)
class Context:
    """The context of a resource: one logical id of one stack."""

    emulator: Emulator
    region: str
    account: str
    stack_name: str
    stack_id: str
    logical_id: str
    type: str
    # Status and unique id of each signal that the resource got through SignalResource.
    signals: Callable[[], list[tuple[str, str]]] = list
    # The role that creates and deletes the stack's resources.
    role: str | None = None

    def client(self, service: str) -> Any:
        return self.emulator.assuming(self.role, self.region).client(service, self.region)

    def of_service(self, service: str) -> Any:
        """A client for what a service does by itself, without the role's permissions."""
        return self.emulator.client(service, self.region)

    def name(self, limit: int = 128, *, lower: bool = False) -> str:
        """A generated physical name: stack, logical id and twelve random characters, in at most `limit` characters."""
        suffix = f"-{self.logical_id}-{secrets.token_hex(6).upper()}"[-(limit - 2) :]
        name = f"{self.stack_name[: limit - len(suffix)]}{suffix}"
        return name.lower() if lower else name


@dataclass
class Made:
    """An existing resource: its values for Ref and Fn::GetAtt."""

    physical_id: str
    attributes: Mapping[str, Any] = field(default_factory=dict)

    def attribute(self, name: str) -> Any:
        """The value for Fn::GetAtt; `A.B` reaches into a map, such as a custom resource's data."""
        if name in self.attributes:
            return self.attributes[name]
        found: Any = self.attributes
        for part in name.split("."):
            if not isinstance(found, Mapping) or part not in found:
                known = ", ".join(self.attributes) or "none"
                raise LabError(f"fsxbench lab: unknown attribute {name}; known attributes: {known}")
            found = found[part]
        return found


class Kind(Protocol):
    """A resource type."""

    def create(self, context: Context, properties: Properties) -> Made: ...

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        """Update it in place; `None` if it can only be replaced."""

    def delete(self, context: Context, made: Made, properties: Properties) -> None: ...


registry: dict[str, Kind] = {}


def kind_of(resource_type: str) -> Kind:
    """The kind of a resource type.

    Raises LabError for an unknown type, since silently skipping a resource would make tests pass vacuously.
    """
    if resource_type.startswith("Custom::"):
        resource_type = "AWS::CloudFormation::CustomResource"
    if resource_type not in registry:
        raise LabError(f"fsxbench lab: resource type {resource_type} is not supported")
    return registry[resource_type]


def known_as(resource_type: str) -> Callable[[type[Any]], type[Any]]:
    """Class decorator: one instance of the class is the kind of `resource_type`."""

    def register(cls: type[Any]) -> type[Any]:
        registry[resource_type] = cls()
        return cls

    return register


def pick(answer: Any, path: str) -> Any:
    """`pick({'A': [{'B': 1}]}, 'A.0.B')` is 1."""
    for part in path.split("."):
        answer = answer[int(part)] if isinstance(answer, list) else answer[part]
    return answer


class Replaced:
    """A kind without properties that can be updated in place."""

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        return None


@dataclass(frozen=True)
class ApiKind:
    """A type created by one API call, whose response has the id and attributes, and deleted by another.

    Attributes:
        create: name of the boto3 method; its request is the resource's properties, transformed by `request`.
        ref: path of the physical id in `{**request, **answer}`.
        attributes: attribute name to path, in the same.
        name: the property with the physical name, generated if the template gives none.
        name_limit: maximum length of a generated name.
        delete: boto3 method; `keys` maps its request's members to paths in `{'Ref': …, **attributes, **properties}`.
        update: boto3 method that updates in place, with the request of `create` and the members of `update_keys`.
        fixed: properties that need a replacement even though `update` exists.
    """

    service: str
    create_method: str
    ref: str
    delete_method: str
    keys: Mapping[str, str]
    attributes: Mapping[str, str] = field(default_factory=dict)
    name: str | None = None
    name_limit: int = 128
    request: Callable[[Context, Properties], Properties] = lambda context, properties: dict(properties)
    update_method: str | None = None
    update_keys: Mapping[str, str] = field(default_factory=dict)
    fixed: tuple[str, ...] = ()

    def _request(self, context: Context, properties: Properties) -> Properties:
        request = self.request(context, properties)
        if self.name and self.name not in request:
            request[self.name] = context.name(self.name_limit)
        return request

    def _made(self, request: Properties, answer: Properties) -> Made:
        known = {**request, **answer}
        return Made(str(pick(known, self.ref)), {name: pick(known, path) for name, path in self.attributes.items()})

    def create(self, context: Context, properties: Properties) -> Made:
        request = self._request(context, properties)
        return self._made(request, call(context.client(self.service), self.create_method, request))

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        changed = {key for key in {*old, *new} if old.get(key) != new.get(key)}
        if self.update_method is None or changed & {*self.fixed, self.name}:
            return None
        known = {"Ref": made.physical_id, **made.attributes, **new}
        request = {**self.request(context, new), **{key: pick(known, path) for key, path in self.update_keys.items()}}
        answer = call(context.client(self.service), self.update_method, request)
        return Made(
            made.physical_id,
            {
                **made.attributes,
                **{
                    n: pick({**request, **answer}, p)
                    for n, p in self.attributes.items()
                    if _has({**request, **answer}, p)
                },
            },
        )

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        known = {"Ref": made.physical_id, **made.attributes, **properties}
        call(
            context.client(self.service),
            self.delete_method,
            {key: pick(known, path) for key, path in self.keys.items()},
        )


def _has(answer: Properties, path: str) -> bool:
    try:
        pick(answer, path)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def tag_list(context: Context, properties: Properties) -> list[dict[str, str]]:
    """The declared tags, and those that CloudFormation adds to its resources."""
    return [
        *properties.get("Tags", []),
        {"Key": "aws:cloudformation:stack-name", "Value": context.stack_name},
        {"Key": "aws:cloudformation:stack-id", "Value": context.stack_id},
        {"Key": "aws:cloudformation:logical-id", "Value": context.logical_id},
    ]


def without(properties: Properties, *names: str) -> Properties:
    """All properties except these."""
    return {key: value for key, value in properties.items() if key not in names}


def refuse_unknown(context: Context, properties: Properties, known: set[str]) -> None:
    """Reject properties that the lab does not implement."""
    unknown = sorted(set(properties) - known)
    if unknown:
        raise LabError(
            f"fsxbench lab: {context.type} does not support {', '.join(unknown)} (supported: {', '.join(sorted(known))})"
        )
