import { check } from '../benchmark/common/checks';
import { everyArm, step } from '../benchmark/common/steps';
import type { AroundChange, PlanDefinition } from '../benchmark/plan';
import type { PlanArm, Step } from '../schema/plan';
import { RAISE_METADATA, type RaiseMetadata } from './raise';

/** The name of the plan around a raise of metadata IOPS. */
const BEFORE_AFTER = 'before-after';

/** The raise that a plan goes around. */
export interface PlannedRaise extends Omit<RaiseMetadata, 'kind'> {
  /** Expected duration. */
  readonly expectedSeconds: number;
}

/** Warns that the order of the arms is also that of time: no figure tells the raise from the hours in between. */
const orderIsTime = (benchmark: string) =>
  check('order-is-time', 'warning', ({ steps }) => {
    const raised = steps.findIndex(({ tasks }) => tasks.some(({ action }) => action.kind === RAISE_METADATA));
    const [first, last] = [steps[0], steps[raised + 1]].map((each) => each?.tasks[0]?.arm ?? '');
    return {
      message: `All of ${first} was measured earlier than all of ${last}, since metadata IOPS only rise: whatever else changed in between (other load, the fill, the hour) looks like their effect.`,
      expected: 'arms that take turns, so that time falls out of their difference',
      actual: `every repeat of ${first}, the raise, every repeat of ${last}`,
      suggestion: `${benchmark} compares file systems with different metadata IOPS in turns`,
    };
  });

const oneClient = check('one-client', 'note', ({ fleet }) =>
  fleet.clients === 1
    ? {
        message:
          'One machine does all the work: where it is the limit, more metadata IOPS change nothing in these figures.',
        expected: 'as many clients as the workload has',
        actual: 'this machine',
        suggestion:
          'collect the metrics (fsxbench collect), which tell whether the clients or the servers set the pace',
      }
    : null,
);

/**
 * The plan around a raise of metadata IOPS: every repeat on the file system as it is, the raise, every repeat on it as it then is. Both
 * arms are one file system, so that each unit has a directory of its own for each; those of the second are made after the raise, since
 * only new directories use new metadata targets. The order cannot be another: IOPS only rise.
 *
 * @param around what a benchmark does on one file system
 * @param benchmark its name
 */
export function beforeAfter(
  around: AroundChange,
  benchmark: string,
  { fileSystemId, iops, expectedSeconds }: PlannedRaise,
): PlanDefinition {
  const { parameters, checks, tools } = around;
  return {
    name: BEFORE_AFTER,
    parameters,
    tools,
    defaults: (scale, fleet) => around.defaults(scale, fleet),
    steps: (values, { arms, fleet }): Step[] => {
      const [before, after] = arms as readonly [PlanArm, PlanArm];
      const action: RaiseMetadata = { kind: RAISE_METADATA, fileSystemId, iops };
      const raise = step({
        id: 'raise',
        phase: 'prepare',
        repeat: 0,
        compressibility: null,
        unit: 'raise',
        arms: [after],
        group: () => 'all',
        action,
        expectedSeconds,
      });
      return [
        everyArm('setup-capacity', 'setup', [before]),
        ...around.steps(values, before, fleet),
        raise,
        ...around.steps(values, after, fleet),
        everyArm('conclude-capacity', 'conclude', [after]),
      ];
    },
    checks: [...checks, orderIsTime(benchmark), oneClient],
    paired: false,
  };
}
