import * as z from 'zod';
import { memberBy } from '../common/collections';
import type { StorageConfiguration } from './deployment';
import { count, number, type Of, objectOf, text } from './document';
import { issueSchema } from './issue';
import { name } from './names';

/** The phases of a run, in their order. */
export const PHASES = ['setup', 'warm-up', 'prepare', 'measure', 'conclude', 'clean up'] as const;
export type Phase = (typeof PHASES)[number];

/** Operations on files, or on directories, themselves rather than on data; `all`: one command goes through every one of them. */
const FILE_OPERATIONS = ['create', 'stat', 'read', 'remove', 'all'] as const;
export type FileOperation = (typeof FILE_OPERATIONS)[number];

/** One storage configuration under test, as the plan sees it. Only the clients know its mount point. */
const planArmSchema = z.object({
  name,
  /** For people: `PERSISTENT_1 SSD 14,400 GiB, 200 MB/s/TiB, LZ4`. */
  description: text,
  /** The requested configuration, for a comparison of results with its documented limits. @default - a directory, in a plan of an older release */
  configuration: objectOf<StorageConfiguration>().optional(),
});
export type PlanArm = Of<typeof planArmSchema>;

/** The arm of a name. @throws for a name that none of them has */
export const armNamed = <A extends { readonly name: string }>(arms: readonly A[], wanted: string): A =>
  memberBy(arms, 'name', wanted, "'arm'");

const workloadActionSchema = z.object({
  kind: z.literal('workload'),
  /** The id of a workload (lib/workload/registry.ts). */
  tool: name,
  operation: z.enum(['write', 'run', ...FILE_OPERATIONS]),
  /** The id of the operation if its tool has several of one kind. @default - it has one */
  operationId: name.optional(),
  /** Items that are created, read by stat and removed if the operation is not on data. @default files */
  items: z.enum(['files', 'directories', 'both']).optional(),
  /**
   * Command line without launcher. `{dir}` is the task's data directory, `{client}` the client's position in its group, from 0, `{clients}` its
   * group's names with commas, `{round}` the round, from 1, `{dirs}` the round's directories on all metadata targets, in mdtest's form, and `{bin}`
   * the folder of fsxbench's programs. A first word `{server}` becomes the command for the servers' programs, and `{fileSystem}` their name of the
   * arm's. The tool's `launch` starts it on the group.
   */
  command: z.array(text),
  /** A study's printed command line that the command repeats: it is linted instead, and its flaws are notes. @default - it repeats none */
  published: text.optional(),
  /** The user's own program that the command runs and measures. @default - the tool is the program */
  program: z.array(text).optional(),
  /**
   * Repetition: a create until it took `seconds` in all, each round in new directories; stat and read over those rounds, in cycles, for as long; a
   * delete once per round. @default - once
   */
  rounds: z.object({ seconds: number.min(0), max: z.int().min(1) }).optional(),
  /** Processes on each client of the group. */
  ranksPerClient: z.int().min(1),
  /** Reads the processor time of the arm's servers before and after the command. @default false */
  serverCpu: z.boolean().optional(),
  /** Content of the buffers: `ior-default`, `ior-random`, `fio-40` … */
  pattern: text,
});
export type WorkloadAction = Of<typeof workloadActionSchema>;

/** A first word of a command that stands for what runs the programs of the arm's servers. */
export const AT_SERVERS = '{server}';

/** True for a command that runs on the arm's servers: no client has asked the arm for anything. */
export const isAtServers = ({ command }: WorkloadAction): boolean => command[0] === AT_SERVERS;

/** Action of a task: run a tool, or one of the driver's own actions. */
const actionSchema = z.discriminatedUnion('kind', [
  workloadActionSchema,
  /** Flush and drop client caches on the clients of the group. */
  z.object({ kind: z.literal('drop-caches') }),
  /**
   * Makes the data directory, with layout fields such as `stripeCount` of its file system. `fresh`: empty, old data are moved aside. `spread`: with
   * a verified directory on each metadata target of a Lustre, `mdt0`, `mdt1`, ….
   */
  z.object({ kind: z.literal('make-directory'), fresh: z.boolean().optional(), spread: z.boolean().optional() }),
  /** Count on which metadata target the ranks' directories are. */
  z.object({ kind: z.literal('verify-spread') }),
  /** Apparent and allocated bytes of the data directory, after a sync of each file. */
  z.object({ kind: z.literal('measure-ratio') }),
  z.object({ kind: z.literal('measure-capacity') }),
  z.object({ kind: z.literal('remove-data') }),
]);
export type Action = Of<typeof actionSchema>;

const taskSchema = z.object({
  arm: name,
  /**
   * Part of the fleet that does the work: the clients, sorted by address, are cut into as many equal groups as there are arms, named `A`,
   * `B`, …, and the groups take turns on the arms from repeat to repeat. `all` is every client, `first3` the first three.
   */
  group: name,
  action: actionSchema,
});
export type Task = Of<typeof taskSchema>;
export type ClientGroup = Task['group'];

/** A step: its tasks run at the same time, one an arm; the next step starts when all have ended. */
const stepSchema = z.object({
  /** Unique in the plan and stable, such as `r2-c1.65-write`: samples and resume refer to it. */
  id: name,
  phase: z.enum(PHASES),
  /** Number of the repeat from 1; 0 for steps outside the repeats. */
  repeat: count,
  /** The compressibility target of the data (1.0 = incompressible); `null` where it does not apply. */
  compressibility: number.nullable(),
  /** Size of each file where files are the workload. @default - does not apply */
  fileBytes: number.optional(),
  /** Processes of each client where a plan varies them. @default - it does not */
  threads: z.int().min(1).optional(),
  /** Clients that take part where a plan varies their number; its groups are `first1`, `first2`, … @default - it does not */
  plannedNodes: z.int().min(1).optional(),
  /** Steps of one unit share the data that the first of them wrote. */
  unit: name,
  tasks: z.array(taskSchema),
  /** Expected duration of the step, for the progress bar. */
  expectedSeconds: number,
  /** A task that is still running then is ended and recorded as failed. */
  deadlineSeconds: number.min(0),
});
export type Step = Of<typeof stepSchema>;

/** The smallest difference between arms that a plan finds. */
const detectableSchema = z.object({
  /** Arms against the first, in each operation, target and size of files. */
  comparisons: number,
  repeats: number,
  /** Coefficient of variation that is supposed of an arm's repeats: 0.05 is 5 %. */
  variation: number,
  /** Largest systematic error of a ratio, as a share, beyond which a difference must be. @default 0 */
  systematic: number.optional(),
  power: number,
  /** Relative to the first arm: 0.2 is 20 %. `null` for one repeat, which finds nothing. */
  difference: number.nullable(),
  /** Why there is no difference. @default - there is one, or an older release made the plan */
  reason: text.optional(),
  /** `assumed`: with so few repeats it cannot be tested that they do not depend on the ones before. */
  independence: z.enum(['assumed', 'tested']).optional(),
  /** Expected seconds from the start of a measurement to that of the next of the same kind, at least. */
  apartSeconds: number.optional(),
});
export type Detectable = Of<typeof detectableSchema>;

/** Everything that a run will do, resolved and checked before anything starts: `plan.json`. */
export const planSchema = z.object({
  schema: z.literal('fsxbench.plan/1'),
  benchmark: name,
  plan: name,
  scale: name,
  arms: z.array(planArmSchema),
  fleet: z.object({ clients: number, instanceType: text.nullable(), ranksPerClient: number }),
  /** The parameters after defaults: they suffice to make the plan again. */
  parameters: z.record(text, z.union([text, number, z.boolean(), z.array(number)])),
  steps: z.array(stepSchema),
  totals: z.object({
    expectedSeconds: number,
    /** Seconds in which figures are measured. @default - a plan of an older release */
    measuredSeconds: number.optional(),
    /** Upper bounds: a time-bounded phase may move less. `null` with a reason if no parameter bounds them. */
    bytesWritten: number.nullable(),
    bytesRead: number.nullable(),
    /** @default - a bound is known, or a plan of an older release */
    bytesReason: text.optional(),
    /** List price of the deployment over the expected duration; `null` with a reason if a price is unknown. */
    costUsd: number.nullable(),
    costReason: text.optional(),
    /** Date and source of the prices, for people. @default - not recorded, or nothing is paid for */
    costBasis: text.optional(),
  }),
  /** The differences that its comparisons can detect, known before anything is spent. @default - it compares nothing */
  detectable: detectableSchema.optional(),
  issues: z.array(issueSchema),
});
export type Plan = Of<typeof planSchema>;

/** The precision at which work gets no more repeats, as a share on either side of a ratio, and the most repeats; `null` in plans whose repeats are fixed. */
export function precisionIn(plan: Pick<Plan, 'parameters'> | null): { precision: number; repeats: number } | null {
  const { precision, repeats } = plan?.parameters ?? {};
  return typeof precision === 'number' && typeof repeats === 'number' ? { precision: precision / 100, repeats } : null;
}

/** The caution of a task that was left out, since its comparisons were settled. */
export const SETTLED = 'settled';

/** The smallest difference that matters to a run, as a share; `null` in plans of releases that had none. */
export function smallestDifferenceIn(plan: Plan | null): number | null {
  const percent = plan?.parameters.smallestDifferencePercent;
  return typeof percent === 'number' ? percent / 100 : null;
}
