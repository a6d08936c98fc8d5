"""Lambda functions, and the custom resources that they implement."""

from __future__ import annotations

import io
import zipfile

from ..aws import LabError, call
from ..invoke import invoke_custom_resource
from .base import (
    ApiKind,
    Context,
    Made,
    Properties,
    Replaced,
    known_as,
    registry,
    without,
)


def _code(code: Properties, context: Context) -> Properties:
    """Converts inline source of a template to the archive that the API needs."""
    if "ZipFile" not in code:
        return dict(code)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as target:
        target.writestr("index.js", code["ZipFile"])
        target.writestr("index.py", code["ZipFile"])
    return {"ZipFile": archive.getvalue()}


@known_as("AWS::Lambda::Function")
class Function:
    """A function. It runs only as a custom resource handler, in a child process."""

    _CONFIGURATION = ("Code", "Tags", "Architectures", "LoggingConfig", "RuntimeManagementConfig", "RecursiveLoop")

    def create(self, context: Context, properties: Properties) -> Made:
        request = without(
            properties, "Tags", "RuntimeManagementConfig", "RecursiveLoop", "ReservedConcurrentExecutions"
        )
        request["FunctionName"] = properties.get("FunctionName") or context.name(64)
        request["Code"] = _code(properties["Code"], context)
        arn = call(context.client("lambda"), "create_function", request)["FunctionArn"]
        return Made(request["FunctionName"], {"Arn": arn})

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        if without(old, *self._CONFIGURATION) != without(new, *self._CONFIGURATION):
            return None
        if old["Code"] != new["Code"]:
            request = {"FunctionName": made.physical_id, **_code(new["Code"], context)}
            call(context.client("lambda"), "update_function_code", request)
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("lambda").delete_function(FunctionName=made.physical_id)


@known_as("AWS::Lambda::LayerVersion")
class LayerVersion(Replaced):
    """A version of a layer."""

    def create(self, context: Context, properties: Properties) -> Made:
        request = {**properties, "LayerName": properties.get("LayerName") or context.name(140)}
        arn = call(context.client("lambda"), "publish_layer_version", request)["LayerVersionArn"]
        return Made(arn, {"LayerVersionArn": arn})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        name, version = made.physical_id.rsplit(":", 1)
        context.client("lambda").delete_layer_version(LayerName=name, VersionNumber=int(version))


registry["AWS::Lambda::Permission"] = ApiKind(
    "lambda",
    "add_permission",
    "StatementId",
    "remove_permission",
    {"StatementId": "Ref", "FunctionName": "FunctionName"},
    {"Id": "StatementId"},
    name="StatementId",
    name_limit=100,
)


@known_as("AWS::CloudFormation::CustomResource")
class CustomResource:
    """A custom resource: its function's own code handles create, update and delete."""

    def create(self, context: Context, properties: Properties) -> Made:
        answer = self._send(context, "Create", properties)
        return Made(answer.get("PhysicalResourceId") or context.name(), answer.get("Data") or {})

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        extra = {"PhysicalResourceId": made.physical_id, "OldResourceProperties": _texts(old)}
        answer = self._send(context, "Update", new, extra)
        # A new id means that the handler created a replacement: the engine then makes it delete the old one.
        return Made(answer.get("PhysicalResourceId") or made.physical_id, answer.get("Data") or {})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        self._send(context, "Delete", properties, {"PhysicalResourceId": made.physical_id})

    def _send(
        self, context: Context, request_type: str, properties: Properties, extra: Properties | None = None
    ) -> Properties:
        event = {
            "RequestType": request_type,
            "ServiceToken": properties["ServiceToken"],
            "StackId": context.stack_id,
            "RequestId": f"{context.logical_id}-{request_type}",
            "LogicalResourceId": context.logical_id,
            "ResourceType": context.type,
            "ResourceProperties": _texts(properties),
            **(extra or {}),
        }
        answer = invoke_custom_resource(context.emulator, context.account, context.region, event)
        if answer.get("Status") != "SUCCESS":
            raise LabError(
                f"Received response status [{answer.get('Status')}] from custom resource. Message returned: {answer.get('Reason')}"
            )
        return answer


def _texts(value: object) -> object:
    """Convert scalars to strings, as CloudFormation passes them to handlers."""
    if isinstance(value, dict):
        return {key: _texts(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_texts(inner) for inner in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
