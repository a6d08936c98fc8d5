import { join } from 'node:path';
import { BOUNDED } from '../../common/aws/connection';
import { documentOrNone, findText } from '../../store/documents';

/** Path in the run's folder of its dashboard, as it was when the metrics were collected. */
export const KEPT_BODY = join('metrics', 'dashboard', 'body.json');

/** The dashboard kept with a run; `null` if it was never collected. */
export const keptBody = (folder: string): string | null => documentOrNone(findText(folder, KEPT_BODY));

/** The body of a dashboard from CloudWatch; `null` if there is no dashboard of that name. */
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
