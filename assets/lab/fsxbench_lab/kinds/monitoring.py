"""CloudWatch dashboards and alarms, log groups and metric filters."""

from __future__ import annotations

from ..aws import call
from .base import ApiKind, Context, Made, Properties, known_as, registry, without


@known_as("AWS::CloudWatch::Alarm")
class Alarm:
    """An alarm; stored but not evaluated."""

    operation = "put_metric_alarm"

    def create(self, context: Context, properties: Properties) -> Made:
        return self._put(context, properties.get("AlarmName") or context.name(), properties)

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        if old.get("AlarmName") != new.get("AlarmName"):
            return None
        return self._put(context, made.physical_id, new)

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("cloudwatch").delete_alarms(AlarmNames=[made.physical_id])

    def _put(self, context: Context, name: str, properties: Properties) -> Made:
        call(context.client("cloudwatch"), self.operation, {**properties, "AlarmName": name})
        return Made(name, {"Arn": f"arn:aws:cloudwatch:{context.region}:{context.account}:alarm:{name}"})


@known_as("AWS::CloudWatch::CompositeAlarm")
class CompositeAlarm(Alarm):
    """A composite alarm; stored but not evaluated."""

    operation = "put_composite_alarm"


@known_as("AWS::CloudWatch::Dashboard")
class Dashboard:
    """A dashboard."""

    def create(self, context: Context, properties: Properties) -> Made:
        name = properties.get("DashboardName") or context.name(255)
        context.client("cloudwatch").put_dashboard(DashboardName=name, DashboardBody=properties["DashboardBody"])
        return Made(name)

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        if old.get("DashboardName") != new.get("DashboardName"):
            return None
        context.client("cloudwatch").put_dashboard(DashboardName=made.physical_id, DashboardBody=new["DashboardBody"])
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("cloudwatch").delete_dashboards(DashboardNames=[made.physical_id])


@known_as("AWS::Logs::LogGroup")
class LogGroup:
    """A log group with its retention."""

    def create(self, context: Context, properties: Properties) -> Made:
        client = context.client("logs")
        name = properties.get("LogGroupName") or context.name(512)
        request: Properties = {"logGroupName": name}
        if "KmsKeyId" in properties:
            request["kmsKeyId"] = properties["KmsKeyId"]
        if properties.get("Tags"):
            request["tags"] = {item["Key"]: item["Value"] for item in properties["Tags"]}
        client.create_log_group(**request)
        self._retention(context, name, properties)
        return Made(name, {"Arn": f"arn:aws:logs:{context.region}:{context.account}:log-group:{name}:*"})

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        if without(old, "RetentionInDays") != without(new, "RetentionInDays"):
            return None
        self._retention(context, made.physical_id, new)
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("logs").delete_log_group(logGroupName=made.physical_id)

    @staticmethod
    def _retention(context: Context, name: str, properties: Properties) -> None:
        client = context.client("logs")
        if "RetentionInDays" in properties:
            client.put_retention_policy(logGroupName=name, retentionInDays=int(properties["RetentionInDays"]))
        else:
            client.delete_retention_policy(logGroupName=name)


def _filter(context: Context, properties: Properties) -> Properties:
    transformations = [
        {
            "metricName": item["MetricName"],
            "metricNamespace": item["MetricNamespace"],
            "metricValue": item["MetricValue"],
            **({"defaultValue": item["DefaultValue"]} if "DefaultValue" in item else {}),
            **({"unit": item["Unit"]} if "Unit" in item else {}),
        }
        for item in properties["MetricTransformations"]
    ]
    request = {
        "logGroupName": properties["LogGroupName"],
        "filterPattern": properties["FilterPattern"],
        "metricTransformations": transformations,
    }
    if "FilterName" in properties:
        request["filterName"] = properties["FilterName"]
    return request


registry["AWS::Logs::MetricFilter"] = ApiKind(
    "logs",
    "put_metric_filter",
    "filterName",
    "delete_metric_filter",
    {"filterName": "Ref", "logGroupName": "LogGroupName"},
    name="filterName",
    request=_filter,
    update_method="put_metric_filter",
    update_keys={"filterName": "Ref"},
    fixed=("LogGroupName", "FilterName"),
)
