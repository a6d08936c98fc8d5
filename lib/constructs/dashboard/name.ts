import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * The name of a stack's dashboard. Dashboards are the account's, not a Region's, and a second one of a name overwrites the first
 * (CloudWatch API reference, PutDashboard), so the Region is a part of it.
 */
export function dashboardNameOf(scope: Construct): string {
  const { stackName, region } = Stack.of(scope);
  return `${stackName}-${region}`;
}

/** Hosts of the console by partition; the others have no public one that is known here. */
const CONSOLES: readonly (readonly [start: string, host: string])[] = [
  ['cn-', 'console.amazonaws.cn'],
  ['us-gov-', 'console.amazonaws-us-gov.com'],
];

/** Address of a dashboard in the console. */
export function dashboardUrl(scope: Construct, dashboardName: string): string {
  const { region } = Stack.of(scope);
  const known = Token.isUnresolved(region) ? undefined : CONSOLES.find(([start]) => region.startsWith(start));
  const host = known?.[1] ?? 'console.aws.amazon.com';
  return `https://${host}/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboardName}`;
}
