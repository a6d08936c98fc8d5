import { join } from 'node:path';
import { BOUNDED } from '../../common/aws/bounded';
import { findText } from '../../store/documents';
import { Unsuccessful } from '../context';

/** Path in the run's folder of its dashboard, as it was when the metrics were collected. */
export const KEPT_BODY = join('metrics', 'dashboard', 'body.json');

/** The dashboard kept with a run; `null` if it was never collected. */
export function keptBody(folder: string): string | null {
  const text = findText(folder, KEPT_BODY);
  return 'document' in text ? text.document : null;
}

/** The body of a dashboard from CloudWatch; `null` if there is none with that name. */
export async function dashboardNamed(name: string): Promise<string | null> {
  const { CloudWatchClient, GetDashboardCommand } = await import('@aws-sdk/client-cloudwatch');
  try {
    const { DashboardBody } = await new CloudWatchClient(BOUNDED).send(
      new GetDashboardCommand({ DashboardName: name }),
    );
    return DashboardBody || null;
  } catch (error) {
    const { name: code } = error as Error;
    if (/^(ResourceNotFound|DashboardNotFoundError|ResourceNotFoundException)/.test(code)) return null;
    throw error;
  }
}

/** The body of a stack's only dashboard, from CloudWatch. */
export async function deployedBody(stack: string): Promise<string> {
  const { CloudFormationClient, paginateListStackResources } = await import('@aws-sdk/client-cloudformation');
  const names: string[] = [];
  try {
    const client = new CloudFormationClient(BOUNDED);
    for await (const page of paginateListStackResources({ client }, { StackName: stack }))
      for (const { ResourceType, PhysicalResourceId } of page.StackResourceSummaries ?? []) {
        if (ResourceType === 'AWS::CloudWatch::Dashboard' && PhysicalResourceId) names.push(PhysicalResourceId);
      }
  } catch (error) {
    if (!/does not exist/.test((error as Error).message)) throw error;
    throw new Unsuccessful(
      `there is no stack ${stack} in this account and Region: deploy it, or name a synthesised template with --template`,
    );
  }
  const [name] = names;
  if (name === undefined || names.length > 1)
    throw new Unsuccessful(`the stack ${stack} must have one dashboard, got ${names.length}`);
  const body = await dashboardNamed(name);
  if (body === null) throw new Unsuccessful(`the dashboard ${name} does not exist: deploy ${stack} again`);
  return body;
}
