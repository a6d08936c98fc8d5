"""Auto Scaling groups and related resources. The group starts its (emulated) instances."""

from __future__ import annotations

from collections.abc import Callable

from ..aws import call
from .base import ApiKind, Context, Made, Properties, known_as, registry, without
from .network import end_instances, tag

_GROUP = {"AutoScalingGroupName": "AutoScalingGroupName"}

registry.update(
    {
        "AWS::AutoScaling::LifecycleHook": ApiKind(
            "autoscaling",
            "put_lifecycle_hook",
            "LifecycleHookName",
            "delete_lifecycle_hook",
            {"LifecycleHookName": "Ref", **_GROUP},
            name="LifecycleHookName",
            update_method="put_lifecycle_hook",
            update_keys={"LifecycleHookName": "Ref"},
            fixed=("AutoScalingGroupName",),
        ),
        "AWS::AutoScaling::ScheduledAction": ApiKind(
            "autoscaling",
            "put_scheduled_update_group_action",
            "ScheduledActionName",
            "delete_scheduled_action",
            {"ScheduledActionName": "Ref", **_GROUP},
            name="ScheduledActionName",
            update_method="put_scheduled_update_group_action",
            update_keys={"ScheduledActionName": "Ref"},
            fixed=("AutoScalingGroupName",),
        ),
    }
)


@known_as("AWS::AutoScaling::ScalingPolicy")
class ScalingPolicy:
    """A scaling policy; stored but not acted on. moto's response lacks its ARN."""

    def create(self, context: Context, properties: Properties) -> Made:
        return self._put(context, context.name(), properties)

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        if old["AutoScalingGroupName"] != new["AutoScalingGroupName"]:
            return None
        return self._put(context, made.attributes["PolicyName"], new)

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        request = {
            "AutoScalingGroupName": properties["AutoScalingGroupName"],
            "PolicyName": made.attributes["PolicyName"],
        }
        context.client("autoscaling").delete_policy(**request)

    @staticmethod
    def _put(context: Context, name: str, properties: Properties) -> Made:
        client, group = context.client("autoscaling"), properties["AutoScalingGroupName"]
        call(client, "put_scaling_policy", {**properties, "PolicyName": name})
        policies = client.describe_policies(AutoScalingGroupName=group, PolicyNames=[name])["ScalingPolicies"]
        return Made(policies[0]["PolicyARN"], {"PolicyName": name, "Arn": policies[0]["PolicyARN"]})


@known_as("AWS::AutoScaling::AutoScalingGroup")
class AutoScalingGroup:
    """A group. It does not wait for signals, since the emulated instances do not boot."""

    def create(self, context: Context, properties: Properties) -> Made:
        name = properties.get("AutoScalingGroupName") or context.name()
        request = {**self._request(properties), "AutoScalingGroupName": name}
        call(context.client("autoscaling"), "create_auto_scaling_group", request)
        made = Made(name, {"AutoScalingGroupARN": self._describe(context, name)["AutoScalingGroupARN"]})
        self._extras(context, name, properties)
        return made

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        if old.get("AutoScalingGroupName") != new.get("AutoScalingGroupName"):
            return None
        request = without(self._request(new), "Tags", "LifecycleHookSpecificationList")
        name = made.physical_id

        def change() -> None:
            call(context.client("autoscaling"), "update_auto_scaling_group", {**request, "AutoScalingGroupName": name})

        # Fewer clients: terminate some.
        self._around(context, name, change)
        self._extras(context, name, new)
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        def end() -> None:
            context.client("autoscaling").delete_auto_scaling_group(
                AutoScalingGroupName=made.physical_id, ForceDelete=True
            )

        self._around(context, made.physical_id, end)

    def _around(self, context: Context, name: str, change: Callable[[], None]) -> None:
        instances = [instance["InstanceId"] for instance in self._describe(context, name)["Instances"]]
        if instances:
            end_instances(context, instances, change)
        else:
            change()

    def _describe(self, context: Context, name: str) -> Properties:
        answer = context.client("autoscaling").describe_auto_scaling_groups(AutoScalingGroupNames=[name])
        return answer["AutoScalingGroups"][0]

    def _request(self, properties: Properties) -> Properties:
        request = without(properties, "VPCZoneIdentifier", "Tags", "MetricsCollection", "NotificationConfigurations")
        if "VPCZoneIdentifier" in properties:
            request["VPCZoneIdentifier"] = ",".join(properties["VPCZoneIdentifier"])
        if "Tags" in properties:
            request["Tags"] = [{"ResourceType": "auto-scaling-group", **item} for item in properties["Tags"]]
        return request

    def _extras(self, context: Context, name: str, properties: Properties) -> None:
        client = context.client("autoscaling")
        for collection in properties.get("MetricsCollection", []):
            call(client, "enable_metrics_collection", {"AutoScalingGroupName": name, **collection})
        for notification in properties.get("NotificationConfigurations", []):
            request = {"TopicARN": notification["TopicARN"], "NotificationTypes": notification["NotificationTypes"]}
            call(client, "put_notification_configuration", {"AutoScalingGroupName": name, **request})
        tags = [item for item in properties.get("Tags", []) if item.get("PropagateAtLaunch")]
        for instance in self._describe(context, name)["Instances"]:
            tag(context, instance["InstanceId"], {"Tags": tags})
