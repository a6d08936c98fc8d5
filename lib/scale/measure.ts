import type { AroundChange, Surroundings } from '../benchmark/plan';
import { makePlan } from '../plan/plan';
import type { ClientConfig } from '../schema/client';
import { changeIn, type Plan, type PlanArm } from '../schema/plan';
import type { Described, Manifest, RunStatus } from '../schema/run';
import type { Sample } from '../schema/sample';
import type { LustreConfiguration, LustreStorage } from '../storage/lustre/configuration';
import { describeLustre } from '../storage/lustre/documented';
import type { LustreState } from '../storage/lustre/state';
import { beforeAfter } from './beforeAfter';
import type { MetadataChange } from './metadata';
import { RAISE_METADATA, type RaiseMetadata } from './raise';

/** The two arms of a measurement around a change. */
export const BEFORE = 'before';
export const AFTER = 'after';

/** Request for a measurement around a raise of metadata IOPS. */
export interface MeasureRequest {
  readonly state: LustreState;
  readonly change: MetadataChange;
  /** A lab stands in for AWS: sizes for a coffee break. */
  readonly lab: boolean;
  readonly ranksPerClient: number;
  /** `key=value` texts over the defaults. */
  readonly set: readonly string[];
  readonly surroundings: Surroundings;
}

/** Seconds that a raise is expected to take: minutes on AWS, which promises no time. */
const RAISE_SECONDS = { aws: 900, lab: 2 } as const;

const armOf = (name: string, configuration: LustreConfiguration): PlanArm => ({
  name,
  description: describeLustre(configuration),
  configuration: { kind: 'lustre', ...configuration } satisfies LustreStorage,
});

/** The plan of a benchmark around a raise: before, the raise, after. @throws when a parameter is wrong */
export function measurePlan(
  { name, aroundChange }: { readonly name: string; readonly aroundChange: AroundChange },
  request: MeasureRequest,
): Plan {
  const { state, change, lab, ranksPerClient, set, surroundings } = request;
  const plan = beforeAfter(aroundChange, name, {
    fileSystemId: state.fileSystemId,
    iops: change.to.iops,
    expectedSeconds: lab ? RAISE_SECONDS.lab : RAISE_SECONDS.aws,
  });
  return makePlan({
    benchmark: { name, plans: [plan] },
    plan: plan.name,
    scale: lab ? 'lab' : 'published',
    // One file system as it is, and as it will be.
    arms: [armOf(BEFORE, state.configuration), armOf(AFTER, { ...state.configuration, metadata: change.to })],
    fleet: { clients: 1, instanceType: null, ranksPerClient },
    set,
    hourlyUsd: lab ? 0 : null,
    costReason: 'what the client costs is not known',
    surroundings,
  });
}

/** The manifest once FSx has said what the file system is after the raise. */
export function withAfter(manifest: Manifest, described: Described): Manifest {
  const arms = manifest.arms.map((arm) => (arm.name === AFTER ? { ...arm, describe: described } : arm));
  return { ...manifest, arms };
}

/** The raise that a plan goes around; `undefined` in any other plan. */
function raiseOf(plan: Plan): RaiseMetadata | undefined {
  const change = changeIn(plan);
  return change?.kind === RAISE_METADATA ? (change as RaiseMetadata) : undefined;
}

/** True if an unfinished run can be resumed: the same raise of the same file system in the same directory. */
export function goesOnWith(
  { plan, client, status }: { readonly plan: Plan; readonly client: ClientConfig; readonly status: RunStatus | null },
  wanted: { readonly fileSystemId: string; readonly iops: number; readonly directory: string },
): boolean {
  const raise = raiseOf(plan);
  return (
    raise?.fileSystemId === wanted.fileSystemId &&
    raise.iops === wanted.iops &&
    client.arms[BEFORE]?.mountPoint === wanted.directory &&
    status?.state !== 'done'
  );
}

/** Duration of the raise in seconds; `null` where it has not been done. */
export function raisedIn(plan: Plan, samples: readonly Sample[]): number | null {
  const id = plan.steps.find(({ tasks }) => tasks.some(({ action }) => action.kind === RAISE_METADATA))?.id;
  return samples.findLast(({ step, value }) => step === id && value !== null)?.value ?? null;
}
