import { join } from 'node:path';
import { BOUNDED } from '../../common/aws/connection';
import { readWhole } from '../../common/files';
import type { Dashboard } from '../../dashboard/graph';
import { deployedDashboard } from '../../observe/benchmarkDashboard';
import { factsInBody, factsInTemplate } from '../../observe/dashboard';
import { findDeployment } from '../../run/deployed';
import { limitsOfModel, type ModelLimits } from '../../schema/model';
import type { DeployedArm, Manifest } from '../../schema/run';
import { WATCHES } from '../../storage/registry';
import type { BodyFacts } from '../../storage/storage';
import { findText } from '../../store/documents';
import { Unsuccessful, UsageError } from '../context';

/** Path in the run's folder of its dashboard, as it was when the metrics were collected. */
export const KEPT_BODY = join('metrics', 'dashboard', 'body.json');

/** The dashboard kept with a run; `null` if it was never collected. */
export function keptBody(folder: string): string | null {
  const text = findText(folder, KEPT_BODY);
  return 'document' in text ? text.document : null;
}

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

/** The body of a stack's only dashboard, from CloudWatch. */
async function deployedBody(stack: string): Promise<string> {
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

/** The run whose metrics are drawn. */
interface DrawnRun {
  readonly region: string | null;
  readonly arms: readonly Pick<DeployedArm, 'name' | 'fileSystemId' | 'model'>[];
  readonly fleet: Pick<Manifest['fleet'], 'autoScalingGroup'>;
}

export async function dashboardOfStack(stack: string, run: DrawnRun): Promise<Dashboard> {
  const facts = factsInBody(await deployedBody(stack));
  const watched = watchedDashboard(facts, run);
  if (watched !== null) return watched;
  const { name, region, deployment } = await findDeployment(stack);
  const models = modelsOf(run);
  const arms = deployment.arms.map((arm) => ({ ...arm, model: models[arm.name] }));
  return deployedDashboard({ ...deployment, stackName: name, region, arms, alarms: facts.alarms });
}

/** The dashboard of a file with a template. @throws UsageError for one that has none */
export function dashboardOfTemplate(file: string, run: DrawnRun): Dashboard {
  let text: string;
  try {
    text = readWhole(file);
  } catch (error) {
    throw new UsageError(`'--template' must be a readable file: ${(error as Error).message}`);
  }
  try {
    return dashboardInTemplate(text, run);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The dashboard of a synthesised template, with the file systems and the clients of a run. @throws Error for one that has none */
export function dashboardInTemplate(text: string, run: DrawnRun): Dashboard {
  const facts = factsInTemplate(text);
  const watched = watchedDashboard(facts, run);
  if (watched !== null) return watched;
  const { deployment, alarms } = facts;
  if (deployment === null) throw new Error("'--template' must be a stack of fsxbench, got one without its deployment");
  const models = modelsOf(run);
  return deployedDashboard({
    ...deployment,
    alarms,
    stackName: deployment.benchmark,
    region: regionOf(run),
    autoScalingGroup: run.fleet.autoScalingGroup ?? deployment.autoScalingGroup,
    arms: deployment.arms.map((arm) => ({
      ...arm,
      fileSystemId: run.arms.find(({ name }) => name === arm.name)?.fileSystemId ?? arm.fileSystemId,
      model: models[arm.name],
    })),
  });
}

const regionOf = ({ region }: DrawnRun): string => region ?? 'us-east-1';

/** Limits of the scale models that a run was on, by the names of its arms. */
const modelsOf = ({ arms }: DrawnRun): ModelLimits =>
  Object.fromEntries(arms.flatMap(({ name, model }) => (model === undefined ? [] : [[name, limitsOfModel(model)]])));

/** The dashboard of a stack that watches a file system; `null` for another one. */
function watchedDashboard(facts: BodyFacts, run: DrawnRun): Dashboard | null {
  for (const { dashboard } of WATCHES) {
    const found = dashboard(facts, regionOf(run));
    if (found) return found;
  }
  return null;
}
