import type { PlanArm, Step } from '../schema/plan';
import { everyArm } from './metadata';
import type { BeforeAfterParameters } from './metadataParameters';
import { contentName, contentsOf, refuseWithoutEngine, unitSteps } from './metadataUnit';
import { step } from './steps';

/** The name of the plan around a raise of metadata IOPS, which `scale metadata --measure` makes. */
export const BEFORE_AFTER = 'before-after';

/** The change of a file system that a plan goes around. */
export interface Raise {
  readonly fileSystemId: string;
  /** Metadata IOPS afterwards. */
  readonly iops: number;
  /** What it is expected to take. */
  readonly expectedSeconds: number;
}

/** The two arms: one file system, as it was and as it is then. */
export type BeforeAfter = readonly [before: PlanArm, after: PlanArm];

/**
 * The plan around a raise of metadata IOPS: every repeat on the file system as it is, the raise, every repeat on it as it then is. Both
 * arms are one file system, so that each unit has a directory of its own for each; those of the second are made after the raise, since
 * only new directories use new metadata targets. The order cannot be another: IOPS only rise.
 */
export function beforeAfterSteps(
  parameters: BeforeAfterParameters,
  [before, after]: BeforeAfter,
  clients: number,
  { fileSystemId, iops, expectedSeconds }: Raise,
): Step[] {
  refuseWithoutEngine(parameters);
  const group = (): string => 'all';
  const ofArm = (arm: PlanArm): Step[] =>
    Array.from({ length: parameters.repeats }, (_, index) => index + 1).flatMap((repeat) =>
      contentsOf(parameters).flatMap((content) => {
        const unit = `r${repeat}-${contentName(content)}-${arm.name}`;
        return unitSteps({ parameters, arms: [arm], unit, repeat, content, clients, group });
      }),
    );
  const raise = step({
    ...{ id: 'raise', phase: 'prepare', repeat: 0, target: null, unit: 'raise', arms: [after], group },
    action: { kind: 'raise-metadata', fileSystemId, iops },
    expectedSeconds,
  });
  return [
    everyArm('setup-capacity', 'setup', [before]),
    ...ofArm(before),
    raise,
    ...ofArm(after),
    everyArm('conclude-capacity', 'conclude', [after]),
  ];
}
