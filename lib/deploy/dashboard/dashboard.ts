import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { dashboardNameOf } from '../../constructs/dashboard/name';
import { toDashboard } from '../../constructs/dashboard/render';
import { benchmarkDashboard, type ShownBenchmark } from '../../observe/benchmarkDashboard';

/** The dashboard of a benchmark in CloudWatch. */
export class BenchmarkDashboard extends Construct {
  readonly dashboardName: string;

  constructor(scope: Construct, id: string, props: ShownBenchmark) {
    super(scope, id);
    const dashboard = new cloudwatch.Dashboard(this, 'Dashboard', {
      dashboardName: dashboardNameOf(this),
      ...toDashboard(benchmarkDashboard(props)),
    });
    this.dashboardName = (dashboard.node.defaultChild as cloudwatch.CfnDashboard).ref;
  }
}
