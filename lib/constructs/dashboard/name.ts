import { CfnOutput, type Stack, Token } from 'aws-cdk-lib';

/** The name of a stack's dashboard, with its Region: an account's dashboards share names, and a second one overwrites the first (PutDashboard). */
export const dashboardNameOf = ({ stackName, region }: Stack): string => `${stackName}-${region}`;

/** Hosts of the console by partition; the others have no public one that is known here. */
const CONSOLES: readonly (readonly [start: string, host: string])[] = [
  ['cn-', 'console.amazonaws.cn'],
  ['us-gov-', 'console.amazonaws-us-gov.com'],
];

export function outputDashboard(stack: Stack, dashboardName: string): void {
  const { region } = stack;
  const known = Token.isUnresolved(region) ? undefined : CONSOLES.find(([start]) => region.startsWith(start));
  const host = known?.[1] ?? 'console.aws.amazon.com';
  const value = `https://${host}/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboardName}`;
  new CfnOutput(stack, 'DashboardUrl', { value, description: 'The dashboard in a browser' });
}
