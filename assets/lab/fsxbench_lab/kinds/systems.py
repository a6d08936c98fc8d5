"""Systems Manager's parameters and documents, CDK's own metadata."""

from __future__ import annotations

import json

from ..aws import call
from .base import Context, Made, Properties, known_as, without


@known_as("AWS::SSM::Parameter")
class Parameter:
    """A parameter."""

    def create(self, context: Context, properties: Properties) -> Made:
        name = properties.get("Name") or context.name()
        self._put(context, name, properties, overwrite=False)
        return self._made(name, properties)

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        if (old.get("Name"), old["Type"]) != (new.get("Name"), new["Type"]):
            return None
        self._put(context, made.physical_id, new, overwrite=True)
        return self._made(made.physical_id, new)

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("ssm").delete_parameter(Name=made.physical_id)

    @staticmethod
    def _made(name: str, properties: Properties) -> Made:
        return Made(name, {"Type": properties["Type"], "Value": properties["Value"]})

    @staticmethod
    def _put(context: Context, name: str, properties: Properties, *, overwrite: bool) -> None:
        # Tags are a map in this template type; the API rejects tags together with Overwrite.
        request = {**without(properties, "Tags"), "Name": name, "Overwrite": overwrite}
        if not overwrite and "Tags" in properties:
            request["Tags"] = [{"Key": key, "Value": value} for key, value in properties["Tags"].items()]
        call(context.client("ssm"), "put_parameter", request)


@known_as("AWS::SSM::Document")
class Document:
    """A document; changed content becomes its next and default version if the template has `UpdateMethod: NewVersion`."""

    def create(self, context: Context, properties: Properties) -> Made:
        request = without(properties, "Content", "UpdateMethod")
        request["Name"] = properties.get("Name") or context.name(128)
        request["Content"] = self._content(properties)
        call(context.client("ssm"), "create_document", request)
        return Made(request["Name"])

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        if new.get("UpdateMethod") != "NewVersion" or without(old, "Content") != without(new, "Content"):
            return None
        client = context.client("ssm")
        request = {"Name": made.physical_id, "Content": self._content(new), "DocumentVersion": "$LATEST"}
        if "DocumentFormat" in new:
            request["DocumentFormat"] = new["DocumentFormat"]
        version = call(client, "update_document", request)["DocumentDescription"]["DocumentVersion"]
        client.update_document_default_version(Name=made.physical_id, DocumentVersion=str(version))
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("ssm").delete_document(Name=made.physical_id)

    @staticmethod
    def _content(properties: Properties) -> str:
        content = properties["Content"]
        return content if isinstance(content, str) else json.dumps(content)


@known_as("AWS::CDK::Metadata")
class Metadata:
    """CDK's usage metadata, a resource without any effect, on AWS as here."""

    def create(self, context: Context, properties: Properties) -> Made:
        return Made(context.name())

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        pass
