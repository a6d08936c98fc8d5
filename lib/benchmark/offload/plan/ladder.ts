import * as z from 'zod';
import { IN_MIB, IN_SECONDS } from '../../../common/quantity';
import type { Action, PlanArm, Step } from '../../../schema/plan';
import { BASELINES, writersOf } from '../../../workload/lookup';
import { STREAM_LEVELS, stream, streamCommand } from '../../../workload/stream';
import { fewRepeats, inTheLab, oversubscribed, phaseTooShort } from '../../common/checks';
import { dataExceedCapacity, dataFitInMemory } from '../../common/dataChecks';
import { meetsMaintenance } from '../../common/maintenance';
import { phaseOnModel } from '../../common/onModel';
import { compressionRatios, flag, text, whole } from '../../common/parameters';
import {
  betweenCapacities,
  DROP_CACHES,
  inRepeats,
  REMOVE_DATA,
  rotated,
  step,
  stepsOf,
  takingTurns,
} from '../../common/steps';
import type { PlanDefinition, PlanScale } from '../../plan';

const KNOWN = BASELINES.map(({ id }) => id);

const ladderParameters = z.strictObject({
  repeats: whole(1, 1000),
  seconds: whole(1, 172_800, IN_SECONDS),
  /** Compressibility of the data. 1.4: a compressor saves 30 %, as the slides' data. */
  compressibilities: compressionRatios,
  ranksPerClient: whole(1, 1024),
  /** Most data that one arm writes in a phase, MiB. Ends the phase if it is reached before the stonewall. */
  maxMiBPerArm: whole(1, 2 ** 40, IN_MIB),
  /** O_DIRECT. Btrfs does not compress such writes: the lab uses buffered writes with fsync. */
  direct: flag(),
  /** Baselines to measure below Lustre, from the network up; empty for none. */
  baselines: text(
    new RegExp(`^(?:(?:${KNOWN.join('|')})(?:,(?!$)|$))*$`),
    `some of ${KNOWN.join(', ')}, separated by commas; empty for none`,
  ),
  /** Reads back what was written, through caches that were dropped. */
  reads: flag(),
});
type LadderParameters = z.infer<typeof ladderParameters>;

const AT_SCALE = {
  // 6 TiB: 300 s at what the servers' network carries. Without O_DIRECT the clients' memory would take the first of it.
  published: {
    ...{ repeats: 3, seconds: 300, maxMiBPerArm: 6_291_456, direct: true, reads: true },
    baselines: 'tcp,lnet,raw,raidz1,zfs',
  },
  smoke: { repeats: 2, seconds: 60, maxMiBPerArm: 262_144, direct: true, reads: false, baselines: 'tcp,lnet,raidz1' },
  lab: { repeats: 3, seconds: 3, maxMiBPerArm: 256, direct: false, reads: false, baselines: '' },
} satisfies Record<PlanScale, Partial<LadderParameters>>;

/** Size of the data that a stream repeats, for each process: more than a compressor's window. */
const STREAM_INPUT_BYTES = 64 * 2 ** 20;

function dataOf(compressibility: number) {
  const [found] = writersOf(compressibility, {});
  if (found !== undefined) return { tool: found.workload.id, ...found.data };
  throw new Error(`no workload of lib/workload/registry.ts writes data that compress ${compressibility}:1`);
}

/** A write of the same data from every client, compressed by the servers or by the clients. @throws Error for an algorithm that no client has */
function writeOf(arm: string, compressibility: number, clients: number, parameters: LadderParameters): Action {
  const { seconds, maxMiBPerArm, ranksPerClient, direct } = parameters;
  const { tool, pattern, command } = dataOf(compressibility);
  const maxBytesPerProcess = Math.floor((maxMiBPerArm * 2 ** 20) / (clients * ranksPerClient));
  const own = { kind: 'workload', operation: 'write', serverCpu: true } as const;
  const common = { ...own, pattern: pattern.id, ranksPerClient };
  const phase = { operation: 'write', processesPerClient: ranksPerClient } as const;
  const compression = clientCompressionOf(arm);
  if (compression === null)
    return { ...common, tool, command: command({ ...phase, seconds, maxBytesPerProcess, direct }) };
  const { algorithm, level } = compression;
  if (level < 1 || level > (STREAM_LEVELS[algorithm] ?? 0)) {
    const known = Object.entries(STREAM_LEVELS);
    throw new Error(
      `an arm that its clients compress must be ${known.map(([name, max]) => `client-${name}-1 to client-${name}-${max}`).join(' or ')}, got '${arm}'`,
    );
  }
  const made = command({ ...phase, seconds: 600, maxBytesPerProcess: STREAM_INPUT_BYTES, direct: false });
  const input = made.map((word) => word.replaceAll('{dir}', '{input}'));
  return {
    ...common,
    tool: stream.id,
    command: streamCommand({ algorithm, level, seconds, maxBytesPerProcess, input }),
  };
}

/** Reads the written files again. Data compressed by a client are left out: their files differ. */
function readOf(compressibility: number, { seconds, ranksPerClient, direct }: LadderParameters): Action {
  const { tool, pattern, command } = dataOf(compressibility);
  const operation = 'read';
  const words = command({ operation, seconds, maxBytesPerProcess: 0, processesPerClient: ranksPerClient, direct });
  const own = { command: words, ranksPerClient, pattern: pattern.id };
  return { kind: 'workload', tool, operation, serverCpu: true, ...own };
}

/** Arms take turns to write the same data, rotated from repeat to repeat, since they share server CPUs. Each write is followed by a space reading. */
function ladderSteps(parameters: LadderParameters, arms: readonly PlanArm[], clients: number): Step[] {
  const { repeats, seconds, compressibilities, reads } = parameters;
  const readable = arms.filter(({ name }) => clientCompressionOf(name) === null);
  const unitOf = (repeat: number, compressibility: number): Step[] => {
    const made = stepsOf({ repeat, compressibility, unit: `r${repeat}-c${compressibility}`, arms });
    const write = ({ name }: PlanArm): Action => writeOf(name, compressibility, clients, parameters);
    const read = readOf(compressibility, parameters);
    const own = [
      made('directory', 'prepare', { kind: 'make-directory' }),
      made('write', 'measure', write, { expectedSeconds: seconds }),
      made('space', 'conclude', { kind: 'measure-ratio' }),
      ...(reads
        ? [
            made('drop-caches', 'prepare', DROP_CACHES, { arms: readable }),
            made('read', 'measure', read, { arms: readable, expectedSeconds: seconds }),
          ]
        : []),
      made('remove', 'clean up', REMOVE_DATA),
    ];
    return takingTurns(own, arms, repeat).filter(({ tasks }) => tasks.length > 0);
  };
  const units = inRepeats(repeats, (repeat) =>
    rotated(compressibilities, repeat - 1).flatMap((compressibility) => unitOf(repeat, compressibility)),
  );
  return [...baselineSteps(parameters, arms), ...betweenCapacities(arms, units)];
}

/** Prefix of the steps below Lustre; the id of a baseline follows. */
export const BASELINE_STEP = 'baseline-';

/** Steps for the layers below Lustre, from the network up: on the arm without compression, whose servers all arms share, or on each arm's own. */
function baselineSteps({ baselines, seconds, ranksPerClient }: LadderParameters, arms: readonly PlanArm[]): Step[] {
  const compressedThere = arms.filter(({ name }) => clientCompressionOf(name) === null);
  return baselines.split(',').flatMap((id): Step[] => {
    const found = BASELINES.find((baseline) => baseline.id === id);
    const own = found?.ofEachArm ? compressedThere : compressedThere.slice(0, 1);
    if (found === undefined || own.length === 0) return [];
    const action: Action = {
      kind: 'workload',
      tool: found.tool,
      operation: 'write',
      ranksPerClient,
      pattern: id,
      command: found.command({ seconds, processes: ranksPerClient }),
    };
    const base = { repeat: 0, compressibility: null, unit: 'baselines', arms: own, group: () => 'all' };
    const steps = [step({ ...base, id: `${BASELINE_STEP}${id}`, phase: 'setup', action, expectedSeconds: seconds })];
    return found.ofEachArm ? takingTurns(steps, own) : steps;
  });
}

/** Measures every layer of the ladder, then every arm. */
export const ladder: PlanDefinition<typeof ladderParameters> = {
  name: 'ladder',
  parameters: ladderParameters,
  defaults: (scale, { ranksPerClient }) => ({ compressibilities: [1.4], ranksPerClient, ...AT_SCALE[scale] }),
  // Long enough to be compared with the metrics, and for what the servers may keep in memory not to matter.
  onModel: (models) => {
    const { seconds, maxMiB } = phaseOnModel(models);
    return [`seconds=${seconds}`, `maxMiBPerArm=${maxMiB}`, 'baselines=link,raw,btrfs'];
  },
  steps: (parameters, { arms, fleet }) => ladderSteps(parameters, arms, fleet.clients),
  checks: [phaseTooShort, dataFitInMemory, dataExceedCapacity, fewRepeats, oversubscribed, meetsMaintenance, inTheLab],
};

/** Returns the algorithm with which an arm's clients compress its data; `null` if its servers compress. */
export function clientCompressionOf(arm: string): { readonly algorithm: string; readonly level: number } | null {
  const [, algorithm, level] = /^client-([a-z0-9]+)-(\d+)$/.exec(arm) ?? [];
  return algorithm === undefined ? null : { algorithm, level: Number(level) };
}
