import * as z from 'zod';
import { IN_MIB, IN_SECONDS } from '../../kit/quantity';
import type { Action, PlanArm, Step } from '../../schema/plan';
import { DATA_WORKLOADS, FILES_WORKLOADS, idsOf, releaseIn } from '../../workload/lookup';
import { fewRepeats, oversubscribed } from '../kit/checks';
import { dataExceedCapacity, dataFitInMemory } from '../kit/dataChecks';
import { emptyFilesAction, FILES_SECONDS } from '../kit/filesRounds';
import { choice, flag, whole } from '../kit/parameters';
import { everyArm, step } from '../kit/steps';
import type { PlanDefinition } from '../plan';

/** Tools that can do all of it, so that one installed tool is enough. */
const BOTH = FILES_WORKLOADS.flatMap((files) => DATA_WORKLOADS.filter(({ id }) => id === files.id));
const [PREFERRED, ...OTHERS] = BOTH;
if (PREFERRED === undefined) throw new Error('no workload of lib/workload/registry.ts works on data and on files');

const mountParameters = z.strictObject({
  repeats: whole(1, 1000),
  /** Length of a write and of a read. */
  seconds: whole(1, 172_800, IN_SECONDS),
  tool: choice(idsOf(BOTH)),
  ranksPerClient: whole(1, 1024),
  /** Most data that a write moves, MiB. */
  maxMiBPerArm: whole(1, 2 ** 40, IN_MIB),
  /** O_DIRECT; otherwise writes are synced before the clock stops. */
  direct: flag(),
  /** Files that each process creates, looks up and removes in a round; 0 for none. */
  filesPerRank: whole(0, 1_000_000),
});
type MountParameters = z.infer<typeof mountParameters>;

/** A large file for each process is written and read back, then many empty files are created, looked up and removed. */
function mountSteps(parameters: MountParameters, arms: readonly PlanArm[]): Step[] {
  const { repeats, seconds, tool, ranksPerClient, maxMiBPerArm, direct, filesPerRank } = parameters;
  const workload = DATA_WORKLOADS.find(({ id }) => id === tool);
  const data = workload?.data.ofRatio(1, releaseIn(workload, parameters));
  if (workload === undefined || !data) throw new Error(`${tool} cannot write random data`);
  const maxBytesPerProcess = Math.floor((maxMiBPerArm * 2 ** 20) / ranksPerClient);
  const common = { kind: 'workload', tool, ranksPerClient } as const;

  return [
    everyArm('setup-capacity', 'setup', arms),
    ...Array.from({ length: repeats }, (_, index) => index + 1).flatMap((repeat) => {
      const ofUnit = (unit: string, target: number | null) => {
        const base = { repeat, target, unit, arms, group: () => 'all' };
        const chore = (name: string, phase: Step['phase'], action: Action): Step =>
          step({ ...base, id: `${unit}-${name}`, phase, action });
        return {
          directory: chore('directory', 'prepare', { kind: 'make-directory', fresh: true }),
          dropCaches: (name: string) => chore(`drop-caches-${name}`, 'prepare', { kind: 'drop-caches' }),
          measure: (name: string, action: Action, expectedSeconds: number) =>
            step({ ...base, id: `${unit}-${name}`, phase: 'measure', action, expectedSeconds }),
          remove: chore('clean', 'clean up', { kind: 'remove-data' }),
        };
      };
      const large = ofUnit(`r${repeat}-data`, 1);
      const move = (operation: 'write' | 'read'): Step => {
        const phase = { operation, seconds, maxBytesPerProcess, processesPerClient: ranksPerClient, direct };
        const action: Action = { ...common, operation, command: data.command(phase), pattern: data.pattern.id };
        return large.measure(operation, action, seconds);
      };
      const small = ofUnit(`r${repeat}-files`, null);
      const operations = filesPerRank === 0 ? [] : (workload.files?.operations.files ?? []);
      return [
        ...[large.directory, move('write'), large.dropCaches('read'), move('read'), large.remove],
        ...(operations.length === 0 ? [] : [small.directory]),
        ...operations.flatMap((operation, at) => {
          const action = emptyFilesAction(workload, operation, { ranksPerClient, filesPerRank, seconds });
          return [...(at === 0 ? [] : [small.dropCaches(operation)]), small.measure(operation, action, FILES_SECONDS)];
        }),
        ...(operations.length === 0 ? [] : [small.remove]),
      ];
    }),
    everyArm('conclude-capacity', 'conclude', arms),
  ];
}

/** The usual plan of `run --on`: rates of one number of clients. */
export const mountPlan: PlanDefinition<typeof mountParameters> = {
  name: 'mount',
  parameters: mountParameters,
  paired: false,
  defaults: (_, { ranksPerClient }) => ({
    ...{ repeats: 3, seconds: 10, tool: PREFERRED.id, ranksPerClient },
    ...{ maxMiBPerArm: 65_536, direct: false, filesPerRank: 2000 },
  }),
  steps: (parameters, { arms }) => mountSteps(parameters, arms),
  checks: [dataFitInMemory, dataExceedCapacity, fewRepeats, oversubscribed],
  within: (MiBPerClient) => [`maxMiBPerArm=${MiBPerClient}`],
  tools: { preferred: PREFERRED, substitutes: OTHERS },
};
