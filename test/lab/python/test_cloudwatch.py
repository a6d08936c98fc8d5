"""CloudWatch: figures as a report asks for them, and alarms on alarms."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from botocore.exceptions import ClientError
from conftest import Deployment

Aws = Callable[[str], Any]


class TestCloudWatch:
    def put(self, aws: Aws, name: str, values: list[tuple[int, float]], start: datetime, **more: Any) -> None:
        dimensions = [{"Name": "StorageTargetId", "Value": "OST0000"}, {"Name": "FileSystemId", "Value": "fs-1"}]
        data = [
            {
                "MetricName": name,
                "Dimensions": dimensions,
                "Timestamp": start + timedelta(seconds=s),
                "Value": v,
                **more,
            }
            for s, v in values
        ]
        aws("cloudwatch").put_metric_data(Namespace="AWS/FSx", MetricData=data)

    def get(self, aws: Aws, name: str, stat: str, start: datetime, period: int = 5) -> list[tuple[float, float]]:
        dimensions = [{"Name": "FileSystemId", "Value": "fs-1"}, {"Name": "StorageTargetId", "Value": "OST0000"}]
        metric = {"Namespace": "AWS/FSx", "MetricName": name, "Dimensions": dimensions}
        query = {"Id": "q", "MetricStat": {"Metric": metric, "Period": period, "Stat": stat}}
        answer = aws("cloudwatch").get_metric_data(
            MetricDataQueries=[query],
            StartTime=start,
            EndTime=start + timedelta(seconds=60),
            ScanBy="TimestampAscending",
        )["MetricDataResults"][0]
        moments = [(moment - start).total_seconds() for moment in answer["Timestamps"]]
        return list(zip(moments, answer["Values"], strict=True))

    START = datetime(2026, 1, 1, 12, 0, 0, tzinfo=timezone.utc)

    def test_points_stand_on_multiples_of_the_period_and_dimensions_in_any_order(self, aws: Aws) -> None:
        # The last is at the end of what is asked for, which does not count.
        self.put(aws, "DiskWriteBytes", [(1, 10), (4, 20), (5, 40), (12, 80), (60, 160)], self.START)
        assert self.get(aws, "DiskWriteBytes", "Sum", self.START) == [(0, 30), (5, 40), (10, 80)]
        late = self.START + timedelta(seconds=2)
        assert self.get(aws, "DiskWriteBytes", "Sum", late)[0] == (-2, 30)

    def test_every_statistic_is_what_its_name_says(self, aws: Aws) -> None:
        self.put(aws, "Stats", [(s, float(s)) for s in range(1, 5)], self.START)
        found = {
            stat: self.get(aws, "Stats", stat, self.START)[0][1]
            for stat in ("Average", "Minimum", "Maximum", "SampleCount", "p50", "p51", "p99")
        }
        assert found == {"Average": 2.5, "Minimum": 1, "Maximum": 4, "SampleCount": 4, "p50": 2, "p51": 3, "p99": 4}
        # A set of values counts as many times as it has values.
        values = {"SampleCount": 3, "Sum": 30, "Minimum": 5, "Maximum": 15}
        dimensions = [{"Name": "FileSystemId", "Value": "fs-1"}]
        datum = {"MetricName": "Sets", "Dimensions": dimensions, "Timestamp": self.START}
        data = [{**datum, "StatisticValues": values}, {**datum, "Value": 2}]
        aws("cloudwatch").put_metric_data(Namespace="AWS/FSx", MetricData=data)
        answer = aws("cloudwatch").get_metric_statistics(
            **{"Namespace": "AWS/FSx", "MetricName": "Sets", "Dimensions": dimensions, "Period": 60},
            **{"StartTime": self.START, "EndTime": self.START + timedelta(seconds=60), "Statistics": ["Average"]},
        )
        assert [point["Average"] for point in answer["Datapoints"]] == [8]
        metric = {"Namespace": "AWS/FSx", "MetricName": "Sets", "Dimensions": dimensions}
        queries = [{"Id": stat.lower(), "MetricStat": {"Metric": metric, "Period": 60, "Stat": stat}} for stat in ("Minimum", "Maximum")]
        window = {"StartTime": self.START, "EndTime": self.START + timedelta(seconds=60)}
        answer = aws("cloudwatch").get_metric_data(MetricDataQueries=queries, **window)["MetricDataResults"]
        assert [each["Values"] for each in answer] == [[2], [15]]
        with pytest.raises(ClientError, match="StartTime must be less than"):
            aws("cloudwatch").get_metric_data(MetricDataQueries=queries, StartTime=self.START, EndTime=self.START)

    def test_values_of_one_unit_alone_and_the_latest_first_unless_asked_otherwise(self, aws: Aws) -> None:
        for unit, value in (("Bytes", 10), ("Count", 1)):
            self.put(aws, "Mixed", [(1, value), (6, 2 * value)], self.START, Unit=unit)
        dimensions = [{"Name": "FileSystemId", "Value": "fs-1"}, {"Name": "StorageTargetId", "Value": "OST0000"}]
        metric = {"Namespace": "AWS/FSx", "MetricName": "Mixed", "Dimensions": dimensions}
        asked = {"Metric": metric, "Period": 5, "Stat": "Sum"}
        queries = [{"Id": "all", "MetricStat": asked}, {"Id": "bytes", "MetricStat": {**asked, "Unit": "Bytes"}}]
        window = {"StartTime": self.START, "EndTime": self.START + timedelta(seconds=60)}
        answer = aws("cloudwatch").get_metric_data(MetricDataQueries=queries, **window)["MetricDataResults"]
        assert [each["Values"] for each in answer] == [[22, 11], [20, 10]]

    def test_a_metric_is_listed_once_however_many_points_and_dimensions_it_has(self, aws: Aws) -> None:
        for name in ("Listed", "Other"):
            self.put(aws, name, [(s, float(s)) for s in range(600)], self.START)
        cloudwatch = aws("cloudwatch")
        found = cloudwatch.list_metrics(Namespace="AWS/FSx", MetricName="Listed")["Metrics"]
        assert [len(metric["Dimensions"]) for metric in found] == [2]
        of = {"Name": "StorageTargetId", "Value": "OST0000"}
        names = {metric["MetricName"] for metric in cloudwatch.list_metrics(Dimensions=[of])["Metrics"]}
        assert {"Listed", "Other"} <= names
        assert cloudwatch.list_metrics(Dimensions=[{**of, "Value": "OST0001"}])["Metrics"] == []

    def test_metric_math_is_evaluated_and_other_forms_are_refused(self, aws: Aws) -> None:
        self.put(aws, "Reads", [(0, 30), (5, 60)], self.START)
        search = """SEARCH('{AWS/FSx,FileSystemId,StorageTargetId} MetricName="Reads" StorageTargetId=OST', 'Sum', 5)"""

        def ask(expression: str) -> list[dict[str, Any]]:
            return aws("cloudwatch").get_metric_data(
                MetricDataQueries=[{"Id": "q", "Expression": expression, "Label": "${PROP('Dim.StorageTargetId')}"}],
                StartTime=self.START,
                EndTime=self.START + timedelta(seconds=60),
                ScanBy="TimestampAscending",
            )["MetricDataResults"]

        [answer] = ask(f"{search} / 5")
        assert (answer["Label"], answer["Values"]) == ("OST0000", [6, 12])
        with pytest.raises(ClientError, match="metric math is not supported: a number"):
            ask("1+1")


def test_an_alarm_on_alarms_keeps_its_rule_and_goes_with_its_stack(stack: Deployment, aws: Aws) -> None:
    alarm = {
        "Type": "AWS::CloudWatch::Alarm",
        "Properties": {
            "Namespace": "fsxbench",
            "MetricName": "RunActive",
            "Statistic": "Maximum",
            "Period": 60,
            "EvaluationPeriods": 1,
            "Threshold": 1,
            "ComparisonOperator": "GreaterThanOrEqualToThreshold",
        },
    }
    rule = {"Fn::Join": ["", ['ALARM("', {"Fn::GetAtt": ["One", "Arn"]}, '")']]}
    both = {"Type": "AWS::CloudWatch::CompositeAlarm", "Properties": {"AlarmRule": rule}}
    assert stack.apply({"One": alarm, "Both": both}) == "CREATE_COMPLETE", stack.reasons()
    name = stack.ids()["Both"]
    cloudwatch = aws("cloudwatch")
    [found] = cloudwatch.describe_alarms(AlarmNames=[name], AlarmTypes=["CompositeAlarm"])["CompositeAlarms"]
    assert found["AlarmRule"].startswith('ALARM("arn:aws:cloudwatch:')
    stack.delete()
    assert cloudwatch.describe_alarms(AlarmNames=[name], AlarmTypes=["CompositeAlarm"])["CompositeAlarms"] == []
