"""Topics, their policies and subscriptions, schedules, state machines and rules."""

from __future__ import annotations

import json

from ..aws import call
from .base import (
    ApiKind,
    Context,
    Made,
    Properties,
    Replaced,
    known_as,
    refuse_unknown,
    registry,
    without,
)


@known_as("AWS::SNS::Topic")
class Topic:
    """A topic."""

    _PLAIN = ("DisplayName", "KmsMasterKeyId", "FifoTopic", "ContentBasedDeduplication")

    def create(self, context: Context, properties: Properties) -> Made:
        suffix = ".fifo" if properties.get("FifoTopic") else ""
        name = properties.get("TopicName") or context.name(250) + suffix
        attributes = {key: properties[key] for key in self._PLAIN if key in properties}
        request = {"Name": name, "Attributes": attributes, "Tags": properties.get("Tags", [])}
        arn = call(context.client("sns"), "create_topic", request)["TopicArn"]
        return Made(arn, {"TopicArn": arn, "TopicName": name})

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        changing = ("DisplayName", "KmsMasterKeyId")
        if without(old, *changing) != without(new, *changing):
            return None
        for key in changing:
            if old.get(key) != new.get(key):
                request = {"TopicArn": made.physical_id, "AttributeName": key, "AttributeValue": new.get(key, "")}
                call(context.client("sns"), "set_topic_attributes", request)
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("sns").delete_topic(TopicArn=made.physical_id)


@known_as("AWS::SNS::TopicPolicy")
class TopicPolicy:
    """The policy of topics. A topic always has one: deleting this one restores the default."""

    def create(self, context: Context, properties: Properties) -> Made:
        client = context.client("sns")
        for topic in properties["Topics"]:
            client.set_topic_attributes(
                TopicArn=topic, AttributeName="Policy", AttributeValue=json.dumps(properties["PolicyDocument"])
            )
        return Made(context.name(), {"Id": context.logical_id})

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        self.create(context, new)
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        owner = {"StringEquals": {"AWS:SourceOwner": context.account}}
        for topic in properties["Topics"]:
            statement = {
                "Effect": "Allow",
                "Principal": {"AWS": "*"},
                "Action": "SNS:*",
                "Resource": topic,
                "Condition": owner,
            }
            policy = json.dumps({"Version": "2008-10-17", "Statement": [statement]})
            context.client("sns").set_topic_attributes(TopicArn=topic, AttributeName="Policy", AttributeValue=policy)


@known_as("AWS::SNS::Subscription")
class Subscription(Replaced):
    """A subscription to a topic."""

    def create(self, context: Context, properties: Properties) -> Made:
        request = {name: properties[name] for name in ("TopicArn", "Protocol", "Endpoint")}
        for name in ("FilterPolicy", "RawMessageDelivery", "RedrivePolicy"):
            if name in properties:
                value = properties[name]
                request.setdefault("Attributes", {})[name] = json.dumps(value) if isinstance(value, dict) else value
        answer = call(context.client("sns"), "subscribe", {**request, "ReturnSubscriptionArn": True})
        return Made(answer["SubscriptionArn"], {"Arn": answer["SubscriptionArn"]})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("sns").unsubscribe(SubscriptionArn=made.physical_id)


@known_as("AWS::Budgets::Budget")
class Budget(Replaced):
    """A budget. Nothing is billed here, so it never notifies anybody."""

    def create(self, context: Context, properties: Properties) -> Made:
        plain = properties["Budget"]
        limit = {"Amount": str(plain["BudgetLimit"]["Amount"]), "Unit": plain["BudgetLimit"]["Unit"]}
        request = {
            "AccountId": context.account,
            "Budget": {
                "BudgetName": context.name(100),
                **plain,
                "BudgetLimit": limit,
            },
            "NotificationsWithSubscribers": properties.get("NotificationsWithSubscribers", []),
        }
        call(context.client("budgets"), "create_budget", request)
        return Made(request["Budget"]["BudgetName"])

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("budgets").delete_budget(AccountId=context.account, BudgetName=made.physical_id)


registry["AWS::Scheduler::Schedule"] = ApiKind(
    "scheduler",
    "create_schedule",
    "Name",
    "delete_schedule",
    {"Name": "Ref"},
    {"Arn": "ScheduleArn"},
    name="Name",
    name_limit=64,
    update_method="update_schedule",
    update_keys={"Name": "Ref"},
)


@known_as("AWS::StepFunctions::StateMachine")
class StateMachine:
    """A state machine, whose executions run (stepfunctions.py)."""

    def create(self, context: Context, properties: Properties) -> Made:
        refuse_unknown(context, properties, {"DefinitionString", "RoleArn", "Comment", "Tags"})
        request = {"name": context.name(80), **self._request(properties)}
        arn = call(context.client("stepfunctions"), "create_state_machine", request)["stateMachineArn"]
        return Made(arn, {"Arn": arn, "Name": request["name"]})

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        request = {"stateMachineArn": made.physical_id, **self._request(new)}
        call(context.client("stepfunctions"), "update_state_machine", request)
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("stepfunctions").delete_state_machine(stateMachineArn=made.physical_id)

    @staticmethod
    def _request(properties: Properties) -> Properties:
        return {"definition": properties["DefinitionString"], "roleArn": properties["RoleArn"]}


@known_as("AWS::Events::Rule")
class Rule(Replaced):
    """A rule of the default event bus, with its targets."""

    def create(self, context: Context, properties: Properties) -> Made:
        client = context.client("events")
        request = without(properties, "Targets")
        request["Name"] = properties.get("Name") or context.name(64)
        if "EventPattern" in request:
            request["EventPattern"] = json.dumps(request["EventPattern"])
        arn = call(client, "put_rule", request)["RuleArn"]
        if properties.get("Targets"):
            call(client, "put_targets", {"Rule": request["Name"], "Targets": properties["Targets"]})
        return Made(request["Name"], {"Arn": arn})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        client = context.client("events")
        if properties.get("Targets"):
            client.remove_targets(Rule=made.physical_id, Ids=[target["Id"] for target in properties["Targets"]])
        client.delete_rule(Name=made.physical_id)
