import * as z from 'zod';
import { IN_MIB, IN_MINUTES, IN_SECONDS } from '../../../common/quantity';
import type { ScaleModel } from '../../../schema/model';
import type { Action, PlanArm, Step } from '../../../schema/plan';
import { IOR_VERSIONS } from '../../../workload/common/iorRelease';
import { DATA_WORKLOADS, idsOf, releaseIn, workloadNamed, writersOf } from '../../../workload/lookup';
import { MAX_TARGET, type Workload } from '../../../workload/workload';
import { armsTakeTurns, fewRepeats, inTheLab, oversubscribed, phaseTooShort } from '../../common/checks';
import { dataExceedCapacity, dataFitInMemory, mixedTools } from '../../common/dataChecks';
import { meetsMaintenance } from '../../common/maintenance';
import { phaseOnModel } from '../../common/onModel';
import { choice, compressionRatios, flag, whole } from '../../common/parameters';
import {
  betweenCapacities,
  DROP_CACHES,
  groupName,
  inRepeats,
  REMOVE_DATA,
  rotated,
  stepsOf,
  takingTurns,
} from '../../common/steps';
import type { PlanDefinition, PlanScale } from '../../plan';

export const pairedParameters = z.strictObject({
  repeats: whole(1, 1000),
  /** Length of a phase: the stonewall. 300 s is what one-minute metrics need to see a phase (facts-peers, section 1, 6). */
  seconds: whole(1, 172_800, IN_SECONDS),
  /** Compressibility targets, 1 = incompressible. */
  compressibilities: compressionRatios,
  /** `auto`: for each target the first workload whose data have its ratio. */
  tool: choice(['auto', ...idsOf(DATA_WORKLOADS)]),
  iorVersion: choice(IOR_VERSIONS),
  ranksPerClient: whole(1, 1024),
  /** Most data that one arm writes in a phase, MiB. Ends the phase if it is reached before the stonewall. */
  maxMiBPerArm: whole(1, 2 ** 40, IN_MIB),
  /** O_DIRECT. Btrfs does not compress O_DIRECT writes, so the lab and local runs are buffered, with fsync. */
  direct: flag(),
  /** Both arms in the same minutes, on disjoint clients. One client cannot be divided: there the arms take turns. */
  simultaneous: flag(),
  /** Reads back what was written, through caches that were dropped, on other clients than wrote it. */
  reads: flag(),
  /** Seconds of unmeasured work on each arm before the first measurement; 0 = none. */
  warmUpSeconds: whole(0, 3600, IN_SECONDS),
});
type PairedParameters = z.infer<typeof pairedParameters>;

export const publishedParameters = z.strictObject({
  /** `-T`; the blog ran 720 minutes. */
  minutes: whole(1, 10_080, IN_MINUTES),
  iorVersion: choice(IOR_VERSIONS),
  ranksPerClient: whole(1, 1024),
});

/** Current good practice; phases are long enough for one-minute metrics, and short enough for a coffee break in the lab. */
const AT_SCALE = {
  // 4.5 TiB an arm: more than LZ4 can write in 300 s at the published 12,460 MB/s, and a third of the capacity.
  published: { repeats: 5, seconds: 300, maxMiBPerArm: 4_718_592, direct: true, simultaneous: true, warmUpSeconds: 60 },
  smoke: { repeats: 2, seconds: 60, maxMiBPerArm: 262_144, direct: true, simultaneous: true, warmUpSeconds: 10 },
  lab: { repeats: 5, seconds: 2, maxMiBPerArm: 384, direct: false, simultaneous: false, warmUpSeconds: 1 },
} satisfies Record<PlanScale, Partial<PairedParameters>>;

/**
 * Parameters of the lab's plan on a scale model. Throttled rates vary by a percent or two, and three repeats then show a difference of 10%.
 * Phases are longer than on file systems without limits, since data in the servers' memory at the end counts as written. A phase also lasts
 * a period of the metrics: the servers' counters can then be compared with the clients' figures. Reads obey the same limits and would double
 * the time: `reads=true` adds them. The calibration has warmed disk and link. The last compressibility lies past every knee in AWS's figures (2.5 to 5).
 */
function modelledPairs(models: readonly ScaleModel[]): string[] {
  const { seconds, maxMiB } = phaseOnModel(models);
  const phases = [`seconds=${seconds}`, `maxMiBPerArm=${maxMiB}`, 'reads=false', 'warmUpSeconds=0'];
  return ['compressibilities=1,2.6,6.4', 'repeats=3', ...phases];
}

/** Seconds of a chore on one computer with little data. Without it, chores would dominate the estimate of a short run. */
const SHORT_CHORE_SECONDS = 0.3;

/** Tool, command and pattern of one phase. @throws Error for a compressibility whose data the tool that was asked for cannot write */
function workload(
  parameters: PairedParameters,
  compressibility: number,
  operation: 'write' | 'read',
  clientsPerArm: number,
  seconds: number,
): Action {
  const { tool, ranksPerClient, maxMiBPerArm, direct } = parameters;
  const maxBytesPerProcess = Math.floor((maxMiBPerArm * 2 ** 20) / (clientsPerArm * ranksPerClient));
  const able = writersOf(compressibility, parameters);
  const taken = able.find(({ workload: { id } }) => tool === 'auto' || id === tool);
  if (taken === undefined) {
    const others = ['auto', ...able.map(({ workload: { id } }) => id)];
    throw new Error(refusal(parameters, compressibility, others));
  }
  const { pattern, command } = taken.data;
  const phase = { operation, seconds, maxBytesPerProcess, processesPerClient: ranksPerClient, direct };
  const own = { tool: taken.workload.id, operation, command: command(phase), ranksPerClient, pattern: pattern.id };
  return { kind: 'workload', ...own };
}

function refusal(parameters: PairedParameters, compressibility: number, tools: readonly string[]): string {
  const asked = workloadNamed(parameters.tool);
  const name = [asked.label, releaseIn(asked, parameters)].filter((part) => part !== undefined).join(' ');
  const others = tools.map((id) => `tool=${id}`).join(' or ');
  return `${name} cannot write data that compress ${compressibility}:1: set ${others}, or take this compressibility out of 'compressibilities'`;
}

/**
 * The paired plan. For each repeat and compressibility, both arms write the same data in the same minutes, each on its own group of clients. Then
 * space is read back, caches are dropped, and the *other* group reads: no client reads what it wrote itself. Groups swap arms from repeat to repeat,
 * and the order of compressibilities rotates: neither a better half of the fleet nor a drift over time then looks like a difference between arms.
 */
function pairedSteps(parameters: PairedParameters, arms: readonly PlanArm[], clients: number): Step[] {
  const { repeats, seconds, compressibilities, simultaneous, warmUpSeconds, reads } = parameters;
  const clientsPerArm = simultaneous ? clients / arms.length : clients;
  if (!Number.isInteger(clientsPerArm) || clientsPerArm < 1)
    throw new Error(
      `'clients' must be a multiple of the ${arms.length} arms, which share them equally, got ${clients}`,
    );
  const unitSteps = (repeat: number, compressibility: number, phase: 'warm-up' | 'measure', length: number): Step[] => {
    const unit = repeat === 0 ? 'warm-up' : `r${repeat}-c${compressibility}`;
    const group = (index: number): string => groupName((index + repeat) % arms.length);
    const made = stepsOf({ repeat, compressibility, unit, arms, group });
    const write = workload(parameters, compressibility, 'write', clientsPerArm, length);
    const read = workload(parameters, compressibility, 'read', clientsPerArm, length);
    const chore = (name: string, at: Step['phase'], action: Action): Step =>
      made(name, at, action, { expectedSeconds: seconds < 30 ? SHORT_CHORE_SECONDS : undefined });
    const inUnit = [
      chore('directory', 'prepare', { kind: 'make-directory' }),
      ...(phase === 'measure' ? [chore('capacity-before', 'prepare', { kind: 'measure-capacity' })] : []),
      made('write', phase, write, { expectedSeconds: length }),
      ...(phase === 'measure' ? [chore('space', 'conclude', { kind: 'measure-ratio' })] : []),
      ...(phase === 'measure' ? [chore('capacity', 'conclude', { kind: 'measure-capacity' })] : []),
      ...(reads
        ? [
            chore('drop-caches', 'prepare', DROP_CACHES),
            made('read', phase, read, { expectedSeconds: length, group: (index) => group(index + 1) }),
          ]
        : []),
      chore('remove', 'clean up', REMOVE_DATA),
    ];
    return simultaneous ? inUnit : takingTurns(inUnit, arms, repeat);
  };

  return betweenCapacities(arms, [
    ...(warmUpSeconds > 0 ? unitSteps(0, compressibilities[0] as number, 'warm-up', warmUpSeconds) : []),
    ...inRepeats(repeats, (repeat) =>
      rotated(compressibilities, repeat - 1).flatMap((compressibility) =>
        unitSteps(repeat, compressibility, 'measure', seconds),
      ),
    ),
  ]);
}

const writesEveryTarget = ({ data }: Workload): boolean =>
  [1, MAX_TARGET].every((compressibility) => data?.ofRatio(compressibility, undefined) != null);

/** The plan that compares arms by what they write and read, repeat by repeat. */
export const paired: PlanDefinition<typeof pairedParameters> = {
  name: 'paired',
  parameters: pairedParameters,
  onModel: modelledPairs,
  // One client cannot be divided between the arms: they take turns on it.
  defaults: (scale, { clients, ranksPerClient }) => ({
    compressibilities: [1, 1.65, 2.6, 3.5],
    tool: 'auto',
    iorVersion: '3.3.0',
    reads: true,
    ranksPerClient,
    ...AT_SCALE[scale],
    ...(clients === 1 ? { simultaneous: false } : {}),
  }),
  steps: (parameters, { arms, fleet }) => pairedSteps(parameters, arms, fleet.clients),
  checks: [
    phaseTooShort,
    dataFitInMemory,
    dataExceedCapacity,
    fewRepeats,
    oversubscribed,
    armsTakeTurns,
    mixedTools,
    meetsMaintenance,
    inTheLab,
  ],
  tools: { preferred: DATA_WORKLOADS[0] as Workload, substitutes: DATA_WORKLOADS.slice(1).filter(writesEveryTarget) },
};
