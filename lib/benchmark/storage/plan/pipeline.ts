import * as z from 'zod';
import { IN_SECONDS } from '../../../common/quantity';
import type { Action } from '../../../schema/plan';
import { OWN_PROGRAM } from '../../../workload/registry';
import { fewRepeats, inTheLab } from '../../common/checks';
import { flag, text, whole } from '../../common/parameters';
import { betweenCapacities, inRepeats } from '../../common/steps';
import type { PlanDefinition } from '../../plan';
import { EMPTY_CACHES, type UnitWork, unitOf } from './units';

const RELATIVE = 'paths below {dir}, separated by commas, without .. and spaces; empty for none';
const OBJECTS = 's3://BUCKET/KEY, several separated by commas; empty for none';

const parameters = z.strictObject({
  repeats: whole(1, 1000),
  /** Expected duration of one run; it is stopped after twice that plus ten minutes. */
  seconds: whole(1, 172_800, IN_SECONDS),
  /** Objects of S3 that are fetched to {dir}/inputs before the clock starts. */
  inputs: text(/^(?:s3:\/\/[a-z0-9.-]+\/[^\s,]+(?:,s3:\/\/[a-z0-9.-]+\/[^\s,]+)*)?$/, OBJECTS),
  /** Files that the program must have written, below {dir}: a run without them has failed, whatever its exit status. */
  outputs: text(/^(?:(?!\/)(?!.*(?:^|[/,])\.\.(?:[/,]|$))[^\s,]+(?:,(?!\/)[^\s,]+)*)?$/, RELATIVE),
  dropCaches: flag(),
  /** Number of reads in the open pipeline, used if no program is given. */
  reads: whole(1, 100_000_000),
  threads: whole(1, 512),
});

/** A program with what it needs and what it must leave. */
export interface Pipeline {
  /** Commands that make or fetch the inputs, before caches are dropped; not measured. */
  readonly inputs: readonly (readonly string[])[];
  readonly program: readonly string[];
  readonly outputs: readonly string[];
  readonly seconds: number;
  /** Expected duration of each command that makes inputs. */
  readonly inputSeconds: number;
  readonly pattern: string;
  readonly dropCaches: boolean;
}

const OPEN = '{bin}/fastq-pipeline';
/** Bytes that it makes for each read, of reads and reference. Measured: 430 MB for a million. */
const INPUT_BYTES_PER_READ = 430;
/** One process makes them at 340 MB/s, measured; the study's storages took a large file at 26 to 160 MB/s (100 GiB in 4,166 to 670 s). */
const INPUT_BYTES_PER_SECOND = 70e6;

/** assets/client/bin/fastq-pipeline: sort, compress, random reads, many small intermediates. Its data set is known by its size. */
export const openPipeline = (reads: number, threads: number): Pipeline => ({
  inputs: [[OPEN, 'make', '{dir}', String(reads)]],
  program: [OPEN, 'run', '{dir}', String(threads)],
  outputs: ['sorted.fastq.gz', 'aligned.tsv', 'summary.tsv'],
  seconds: Math.max(5, Math.ceil(reads / 10_000)),
  inputSeconds: Math.ceil((reads * INPUT_BYTES_PER_READ) / INPUT_BYTES_PER_SECOND),
  pattern: `fastq-${reads}`,
  dropCaches: true,
});

/** Inputs, empty caches, the program with wall, user and system time and its bytes, the removal. */
export function pipelineWork(pipeline: Pipeline): UnitWork[] {
  const { inputs, inputSeconds, program, outputs, seconds, pattern, dropCaches } = pipeline;
  const action = (words: readonly string[], made: readonly string[] = []): Action => ({
    kind: 'workload',
    tool: OWN_PROGRAM.tool,
    operation: 'run',
    program: [...words],
    ranksPerClient: 1,
    pattern,
    command: OWN_PROGRAM.command(words, { outputs: made.map((path) => `{dir}/${path}`) }),
  });
  return [
    ...inputs.map((words, index): UnitWork => {
      const id = `input-${index + 1}`;
      return { id, phase: 'prepare', action: action(words), expectedSeconds: inputSeconds };
    }),
    ...(dropCaches ? [{ ...EMPTY_CACHES, compressibility: null }] : []),
    { id: 'run', phase: 'measure', action: action(program, outputs), expectedSeconds: seconds, compressibility: null },
  ];
}

const itemsIn = (text: string): string[] => text.split(',').filter((part) => part !== '');

/** The user's program, or the open pipeline if none is given. @throws Error for a program without a directory among its arguments */
function pipelineOf(values: z.infer<typeof parameters>, program: readonly string[]): Pipeline {
  const { inputs, outputs, seconds, dropCaches, reads, threads } = values;
  if (program.length === 0) return { ...openPipeline(reads, threads), dropCaches };
  if (!program.some((word) => word.includes('{dir}')))
    throw new Error(
      `'program' must contain {dir}, which stands for each arm's directory, got '${program.join(' ')}'. Write it last, such as -- cellranger count … --output-dir {dir}/run`,
    );
  const target = (object: string): string => `{dir}/inputs/${object.split('/').at(-1)}`;
  const fetched = itemsIn(inputs).map((object) => ['{bin}/s3', 'get', object, target(object)]);
  return {
    inputs: fetched.length === 0 ? [] : [['mkdir', '-p', '{dir}/inputs'], ...fetched],
    program,
    outputs: itemsIn(outputs),
    seconds,
    inputSeconds: seconds,
    pattern: 'program',
    dropCaches,
  };
}

/** A real pipeline on each storage: the user's own, with inputs from S3 and declared outputs, or the open one. */
export const pipeline: PlanDefinition<typeof parameters> = {
  name: 'pipeline',
  takesProgram: true,
  parameters,
  defaults: (scale) => ({
    repeats: scale === 'smoke' ? 2 : 3,
    inputs: '',
    outputs: '',
    dropCaches: true,
    ...(scale === 'lab'
      ? { seconds: 10, reads: 100_000, threads: 2 }
      : { seconds: 600, reads: 10_000_000, threads: 8 }),
  }),
  steps: (values, { arms, program }) => {
    const work = pipelineWork(pipelineOf(values, program));
    const units = inRepeats(values.repeats, (repeat) =>
      unitOf({ arms, repeat, compressibility: null, unit: `r${repeat}-pipeline` }, work),
    );
    return betweenCapacities(arms, units);
  },
  checks: [fewRepeats, inTheLab],
};
