import * as z from 'zod';
import { amount, described } from '../../../common/field';
import { IN_MIB, IN_SECONDS, NUMBER } from '../../../common/quantity';
import type { Action, Step } from '../../../schema/plan';
import { analysisCommand, dask, dataSetCommand } from '../../../workload/dask';
import { fewRepeats, inTheLab } from '../../common/checks';
import { text, whole } from '../../common/parameters';
import { nodesParameter } from '../../common/scaling/parameters';
import { checkNodes } from '../../common/scaling/units';
import {
  betweenCapacities,
  DROP_CACHES,
  inRepeats,
  NEW_DIRECTORY,
  REMOVE_DATA,
  stepsOf,
  takingTurns,
} from '../../common/steps';
import type { PlanContext, PlanDefinition, PlanScale } from '../../plan';

const parameters = z.strictObject({
  repeats: whole(1, 1000),
  /** Numbers of nodes, measured one after the other, each as a Slurm job. */
  nodes: nodesParameter,
  workersPerNode: whole(1, 1024),
  workerMiB: whole(256, 2 ** 20, IN_MIB),
  /** Partition for the workers' jobs, next to the job of the driver. */
  partition: text(/^(\w[\w.-]*)?$/, 'the name of a Slurm partition; empty for its default'),
  /** The user's own files, such as an import of ERA5. */
  source: text(/^(?:\/\S+)?$/, 'an absolute path with the files of ERA5, without spaces; empty for generated ones'),
  // Generated without a source.
  years: whole(1, 200),
  latitudes: whole(5, 721),
  longitudes: whole(5, 1440),
  stepsPerDay: whole(1, 24),
  trend: described(amount('a number of kelvin per decade from -5 to 5', { min: -5, max: 5, units: NUMBER.units })),
  seed: whole(0, 2 ** 32 - 1),
  /** Expected duration of one analysis on one node. */
  seconds: whole(1, 172_800, IN_SECONDS),
});
type TemperatureParameters = z.infer<typeof parameters>;

/** Eight years of ERA5's grid are 291 GB of temperatures: the study's "nearly 300 GB". */
const AT_SCALE = {
  published: { repeats: 3, years: 8, latitudes: 721, longitudes: 1440, stepsPerDay: 24, seconds: 1200 },
  smoke: { repeats: 2, years: 4, latitudes: 181, longitudes: 360, stepsPerDay: 24, seconds: 120 },
  lab: { repeats: 2, years: 10, latitudes: 46, longitudes: 90, stepsPerDay: 4, seconds: 30 },
} satisfies Record<PlanScale, Partial<TemperatureParameters>>;

/**
 * Temperatures that one process makes, deflates and writes in a second, bytes. Measured: 88 MB/s for a month of ERA5's grid (3.1 GB in 35 s, 3.2 GB of memory);
 * less is expected of processes that share a node's memory.
 */
const GENERATED_BYTES_PER_SECOND = 50e6;

function generationSeconds(values: TemperatureParameters): number {
  const bytes = 4 * values.latitudes * values.longitudes * values.stepsPerDay * 365.25 * values.years;
  return Math.ceil(bytes / values.workersPerNode / GENERATED_BYTES_PER_SECOND);
}

function steps(values: TemperatureParameters, { arms, fleet }: PlanContext): Step[] {
  const { repeats, nodes, workersPerNode, workerMiB, partition, source, seconds } = values;
  checkNodes(nodes, fleet);
  const { years, latitudes, longitudes, stepsPerDay } = values;
  const common = {
    kind: 'workload' as const,
    tool: dask.id,
    ranksPerClient: workersPerNode,
    pattern: source === '' ? `sst-${years}y-${latitudes}x${longitudes}x${stepsPerDay}` : 'ERA5',
  };
  const generate: Action = {
    ...common,
    operation: 'write',
    command: dataSetCommand({ ...values, processes: workersPerNode }),
  };
  const analyse = (count: number): Action => ({
    ...common,
    operation: 'run',
    command: analysisCommand({ nodes: count, workersPerNode, workerMiB, partition, source }),
  });
  // One unit: all repeats read what the first step made.
  const made = stepsOf({ repeat: 0, compressibility: null, unit: 'temperature', arms });
  const work = [
    made('directory', 'prepare', NEW_DIRECTORY),
    ...(source === '' ? [made('generate', 'prepare', generate, { expectedSeconds: generationSeconds(values) })] : []),
    ...inRepeats(repeats, (repeat) =>
      (repeat % 2 === 1 ? nodes : [...nodes].reverse()).flatMap((count) => {
        const own = { repeat, plannedNodes: count, expectedSeconds: Math.ceil(seconds / count) };
        return [
          made(`r${repeat}-n${count}-drop-caches`, 'prepare', DROP_CACHES, { repeat }),
          made(`r${repeat}-n${count}-analyse`, 'measure', analyse(count), own),
        ];
      }),
    ),
    made('remove', 'clean up', REMOVE_DATA),
  ];
  return betweenCapacities(arms, takingTurns(work, arms));
}

/** Mean sea-surface temperature and its trend by Dask, on one node and on all, as the study computed it from ERA5. */
export const temperature: PlanDefinition<typeof parameters> = {
  name: 'temperature',
  parameters,
  defaults: (scale, { clients, ranksPerClient }) => ({
    ...{ partition: '', source: '', trend: 0.15, seed: 1 },
    ...(scale === 'lab'
      ? { nodes: [1], workersPerNode: 1, workerMiB: 512 }
      : { nodes: clients > 1 ? [1, clients] : [1], workersPerNode: ranksPerClient, workerMiB: 4096 }),
    ...AT_SCALE[scale],
  }),
  steps,
  checks: [fewRepeats, inTheLab],
};
