import type { Dashboard } from '../../lib/dashboard/graph';
import { deployedDashboard } from '../../lib/observe/benchmarkDashboard';
import type { Deployment } from '../../lib/schema/deployment';
import { limitsOfModel, type ModelLimits } from '../../lib/schema/model';
import type { DeployedArm, Manifest } from '../../lib/schema/run';
import { dashboardOfFileSystem, VARIABLES } from '../../lib/storage/lustre/dashboard';
import { deploymentParameter, type Resource, theOnly } from './cdk';

type Resources = Readonly<Record<string, Resource>>;

/** Text of a property: alarms are named, and other values known only after deployment are their logical ids. */
function filled(resources: Resources, part: unknown): string {
  if (typeof part === 'string') return part;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = part as Record<string, unknown>;
  if (Array.isArray(joined)) return joined[1].map((one: unknown) => filled(resources, one)).join(joined[0]);
  const id = String(Ref ?? (Array.isArray(attribute) ? attribute[0] : 'unknown'));
  return resources[id]?.Properties?.AlarmName ?? id;
}

/** The deployment that a benchmark's stack describes. */
export const deploymentIn = (resources: Resources): Deployment =>
  JSON.parse(filled(resources, deploymentParameter(resources)[1].Properties.Value));

/** The dashboard of a synthesised template, with the file systems and the clients of a run. */
export function dashboardInTemplate(
  resources: Resources,
  run: {
    readonly arms: readonly Pick<DeployedArm, 'name' | 'fileSystemId' | 'model'>[];
    readonly fleet: Pick<Manifest['fleet'], 'autoScalingGroup'>;
  },
): Dashboard {
  const region = 'us-east-1';
  const body = JSON.parse(filled(resources, theOnly(resources, 'AWS::CloudWatch::Dashboard').Properties.DashboardBody));
  const alarms: string[] = body.widgets.flatMap(
    ({ properties }: { properties: { alarms?: string[] } }) => properties.alarms ?? [],
  );
  const variables: { id: string; defaultValue: string }[] = body.variables ?? [];
  const defaultOf = (wanted: string) => variables.find(({ id }) => id === wanted)?.defaultValue;
  const fileSystemId = defaultOf(VARIABLES.fileSystem);
  if (fileSystemId !== undefined) {
    const metadataIops = Number(defaultOf(VARIABLES.targetIops));
    return dashboardOfFileSystem({ fileSystemId, key: fileSystemId, metadataIops, region, alarms });
  }
  const deployment = deploymentIn(resources);
  const ofRun = (arm: string) => run.arms.find(({ name }) => name === arm);
  return deployedDashboard({
    ...deployment,
    alarms,
    stackName: deployment.benchmark,
    region,
    autoScalingGroup: run.fleet.autoScalingGroup ?? deployment.autoScalingGroup,
    arms: deployment.arms.map((arm) => {
      const { fileSystemId = arm.fileSystemId, model } = ofRun(arm.name) ?? {};
      const limits: ModelLimits[string] | undefined = model && limitsOfModel(model);
      return { ...arm, fileSystemId: fileSystemId ?? arm.fileSystemId, model: limits };
    }),
  });
}
