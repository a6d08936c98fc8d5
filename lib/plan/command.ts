import * as z from 'zod';
import { fewRepeats, inTheLab } from '../benchmark/common/checks';
import { flag, whole } from '../benchmark/common/parameters';
import {
  betweenCapacities,
  DROP_CACHES,
  inRepeats,
  NEW_DIRECTORY,
  REMOVE_DATA,
  stepsOf,
  takingTurns,
} from '../benchmark/common/steps';
import type { PlanDefinition, PlanScale } from '../benchmark/plan';
import { IN_SECONDS } from '../common/quantity';
import type { Action, PlanArm, Step } from '../schema/plan';
import { OWN_PROGRAM } from '../workload/registry';

/** The name of the plan for a user's own program. */
const COMMAND = 'command';

/** Every parameter of that plan. */
const commandParameters = z.strictObject({
  /** Number of runs of the program on each arm. */
  repeats: whole(1, 1000),
  /** Expected duration of one run; it is stopped after twice that plus ten minutes. */
  seconds: whole(1, 172_800, IN_SECONDS),
  /** Flush and drop the clients' caches before each run. */
  dropCaches: flag(),
  /**
   * Ranks that an srun or mpirun in the program's place starts on each client, if its own options say nothing else.
   * @default - the program's own business
   */
  ranksPerClient: whole(1, 1024).nullish(),
});
type CommandParameters = z.infer<typeof commandParameters>;

function commandDefaults(scale: PlanScale): CommandParameters {
  const seconds = scale === 'lab' ? 10 : 60;
  return { repeats: scale === 'smoke' ? 2 : 5, seconds, dropCaches: true };
}

/**
 * The user's own program, timed on each arm: every repeat creates an empty directory, drops caches, runs the program, and removes the
 * directory. Arms take turns, in an order that changes after each repeat, since the program runs on one client.
 *
 * @param program the program and its arguments, with `{dir}` for the arm's directory
 * @throws Error for a program without `{dir}`
 */
function commandSteps(
  { repeats, seconds, dropCaches, ranksPerClient }: CommandParameters,
  arms: readonly PlanArm[],
  program: readonly string[],
): Step[] {
  if (!program.some((word) => word.includes('{dir}'))) {
    const got = program.length === 0 ? 'none' : `'${program.join(' ')}'`;
    throw new Error(
      `'command' must be a program with {dir} among its arguments, for each arm's directory, got ${got}. Write it last, such as -- cp -r SOURCE {dir}/copy`,
    );
  }
  const run: Action = {
    kind: 'workload',
    tool: OWN_PROGRAM.tool,
    operation: 'run',
    command: OWN_PROGRAM.command(program, { ranksPerClient: ranksPerClient ?? null }),
    program: [...program],
    ranksPerClient: ranksPerClient ?? 1,
    pattern: 'program',
  };
  const units = inRepeats(repeats, (repeat) => {
    const made = stepsOf({ repeat, compressibility: null, unit: `r${repeat}-${COMMAND}`, arms });
    const own = [
      made('directory', 'prepare', NEW_DIRECTORY),
      ...(dropCaches ? [made('drop-caches', 'prepare', DROP_CACHES)] : []),
      made('run', 'measure', run, { expectedSeconds: seconds }),
      made('remove', 'clean up', REMOVE_DATA),
    ];
    return takingTurns(own, arms, repeat);
  });
  return betweenCapacities(arms, units);
}

/** The plan that every benchmark has: the user's own program on each of its arms. */
export const command: PlanDefinition<typeof commandParameters> = {
  name: COMMAND,
  takesProgram: true,
  parameters: commandParameters,
  defaults: (scale) => commandDefaults(scale),
  steps: (parameters, { arms, program }) => commandSteps(parameters, arms, program),
  checks: [fewRepeats, inTheLab],
};
