import { bytes } from '../../../common/format/units';
import type { PlanArm, Step } from '../../../schema/plan';
import { storageOf } from '../../../storage/lookup';
import { dd } from '../../../workload/dd';
import { check, fewRepeats, inTheLab, oversubscribed } from '../../common/checks';
import { exceedsCapacity } from '../../common/dataChecks';
import { meetsMaintenance } from '../../common/maintenance';
import { betweenCapacities, inRepeats, rotated } from '../../common/steps';
import type { Check, PlanDefinition } from '../../plan';
import { openPipeline, pipelineWork } from './pipeline';
import {
  correctedWork,
  KINDS,
  largeBytes,
  loopWork,
  pairedDefaults,
  pairedParameters,
  publishedDefaults,
  publishedParameters,
  type StorageParameters,
  type StudyParameters,
  unitOf,
} from './units';

/** Bytes of the files, large or small, of which there are fewer, at the fewest threads. */
function minOf(parameters: StudyParameters): number {
  const { threads, smallFiles, smallBytes } = parameters;
  return Math.min(...threads) * Math.min(largeBytes(parameters), smallFiles * smallBytes);
}

/** The study's loops read what they just wrote: data that fit into the client's memory are read from there only. */
const loopsReadMemory = check('loops-read-memory', 'note', ({ parameters, environment }) => {
  const { clientMemoryBytes } = environment;
  if (clientMemoryBytes === undefined || parameters.loops === false) return null;
  const size = minOf(parameters as unknown as StudyParameters);
  if (size > clientMemoryBytes) return null;
  return {
    message:
      'The study’s loops read what they have just written, and it fits into the memory of the client, so they read that memory. The corrected workloads read after the caches were dropped.',
    expected: `more than ${bytes(clientMemoryBytes)}`,
    actual: bytes(size),
    suggestion: 'compare the reads of the corrected workloads',
  };
});

/** The most data at any time must fit. */
const dataExceedCapacity: Check = (checked) => {
  const { asStudied, parameters } = checked;
  const values = parameters as unknown as StudyParameters;
  const [large, small] = [largeBytes(values), values.smallFiles * values.smallBytes];
  // The study's large files are gone before the small ones are made; the paired plan has all of a unit's files at the same time.
  const ofThread = asStudied ? Math.max(large, small) : (parameters.loops === true ? 2 : 1) * (large + small);
  return exceedsCapacity(checked, {
    bytes: Math.max(...values.threads) * ofThread,
    message: 'The files of all threads together would fill the file system.',
    suggestion: () => 'fewer threads, --set largeBlocks=… or --set smallFiles=…',
  });
};

/** A storage may have a largest file, at which a write ends after hours. */
const filesTooLarge = check('file-too-large', 'error', ({ arms, parameters }) => {
  const values = parameters as unknown as StudyParameters;
  const size = Math.max(largeBytes(values), values.smallBytes);
  const tooSmall = arms.flatMap(({ name, configuration }) => {
    const { largestBytes = Number.POSITIVE_INFINITY } =
      (configuration && storageOf(configuration).client.files?.(configuration)) ?? {};
    return size > largestBytes ? [{ name, largestBytes }] : [];
  });
  const [first] = tooSmall.sort((a, b) => a.largestBytes - b.largestBytes);
  if (first === undefined) return null;
  return {
    message: `A file of this size cannot be on arm ${first.name}.`,
    expected: `at most ${bytes(first.largestBytes)}`,
    actual: bytes(size),
    suggestion: 'smaller files (--set largeBlocks=…), or larger parts of the arm’s uploads',
  };
});

const CHECKS: readonly Check[] = [
  filesTooLarge,
  loopsReadMemory,
  dataExceedCapacity,
  fewRepeats,
  oversubscribed,
  meetsMaintenance,
  inTheLab,
];

/** All storages work at the same time, with thread counts rotated by repeat. A unit is the work of one count; a repeat's last has the pipeline. */
function pairedSteps(parameters: StorageParameters, arms: readonly PlanArm[]): Step[] {
  const { repeats, threads, loops, pipelineReads } = parameters;
  const ofRepeat = (repeat: number): Step[] => {
    const order = rotated(threads, repeat - 1);
    return order.flatMap((count, index) =>
      unitOf({ arms, repeat, compressibility: 1, unit: `r${repeat}-t${count}` }, [
        ...KINDS.flatMap((kind) => [
          ...(loops ? loopWork(parameters, count, kind) : []),
          ...correctedWork(parameters, count, kind),
        ]),
        ...(pipelineReads > 0 && index === order.length - 1
          ? pipelineWork(openPipeline(pipelineReads, Math.max(...threads)))
          : []),
      ]),
    );
  };
  return betweenCapacities(arms, inRepeats(repeats, ofRepeat));
}

/** The plan that compares storages, with the study's loops next to the corrected workloads. */
export const paired: PlanDefinition<typeof pairedParameters> = {
  name: 'paired',
  parameters: pairedParameters,
  defaults: pairedDefaults,
  steps: (parameters, { arms }) => pairedSteps(parameters, arms),
  checks: CHECKS,
};

/** The study's loops at the study's sizes. Kept because its figures can only be judged against its own procedure. */
export const published: PlanDefinition<typeof publishedParameters> = {
  name: 'published',
  asStudied: true,
  parameters: publishedParameters,
  defaults: publishedDefaults,
  steps: (parameters, { arms }) => {
    const units = inRepeats(parameters.repeats, (repeat) =>
      parameters.threads.flatMap((threads) =>
        KINDS.flatMap((kind) => {
          const unit = `r${repeat}-t${threads}-${kind}-loops`;
          return unitOf({ arms, repeat, compressibility: 1, unit }, loopWork(parameters, threads, kind));
        }),
      ),
    );
    return betweenCapacities(arms, units);
  },
  checks: CHECKS,
  tools: { preferred: dd, substitutes: [] },
};
