import { readWhole } from '../../common/readWhole';
import type { Dashboard } from '../../dashboard/graph';
import { deployedDashboard } from '../../observe/benchmarkDashboard';
import { factsInBody, factsInTemplate } from '../../observe/deployedText';
import { findDeployment } from '../../run/deployed';
import { limitsOfModel, type ModelLimits } from '../../schema/model';
import type { DeployedArm, Manifest } from '../../schema/run';
import type { BodyFacts } from '../../storage/watch';
import { WATCHES } from '../../storage/watches';
import { UsageError } from '../context';
import { deployedBody } from './dashboardBody';

/** The run whose metrics are drawn. */
export interface DrawnRun {
  readonly region: string | null;
  readonly arms: readonly Pick<DeployedArm, 'name' | 'fileSystemId' | 'model'>[];
  readonly fleet: Pick<Manifest['fleet'], 'autoScalingGroup'>;
}

/** The dashboard of a deployed stack. */
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
