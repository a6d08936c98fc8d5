import { statOf } from '../../common/processIdentity';
import type { MetricRole } from '../../storage/storage';
import { runCommand } from '../processes';
import type { ModelServers } from './machine';

/** Counts of a server since it began to count, by the role of the metric. */
export type OperationCounts = Readonly<Partial<Record<MetricRole, number>>>;

/** MooseFS's kinds of operations, in the order of `mfscli -SMO` (3.0). Of its `read` and `write`, which ask where data are, release 4 has other names. */
const KINDS = [
  ...(['statfs', 'getattr', 'setattr', 'lookup', 'mkdir', 'rmdir', 'symlink', 'readlink', 'mknod', 'unlink'] as const),
  ...(['rename', 'link', 'readdir', 'open', 'rchunk', 'wchunk'] as const),
];
/** Kinds that release 4 added, after the others. It makes a file by `create`. */
const KINDS_SINCE_4 = [
  ...(['read', 'write', 'fsync', 'snapshot', 'truncate', 'getxattr', 'setxattr', 'getfacl', 'setfacl'] as const),
  ...(['create', 'lock', 'meta'] as const),
];
const ALL_KINDS = [...KINDS, ...KINDS_SINCE_4];
type Kind = (typeof ALL_KINDS)[number];

/** Counts of an hour, by MooseFS's names. */
export type HourlyCounts = Readonly<Record<Kind, number>>;

/** Kinds that each role counts; Lustre counts no data requests. A client asks for attributes by name or, of a known file, by number, also at a create. */
const COUNTED: Readonly<Partial<Record<MetricRole, readonly Kind[]>>> = {
  file_creates: ['mknod', 'create'],
  file_opens: ['open'],
  file_deletes: ['unlink'],
  stats: ['getattr', 'lookup'],
  renames: ['rename'],
  dir_creates: ['mkdir'],
  dir_deletes: ['rmdir'],
  metadata_operations: ALL_KINDS.filter((kind) => !['rchunk', 'wchunk', 'read', 'write', 'fsync'].includes(kind)),
};

/** Parses the output of `mfscli -SMO`, all mounts together; `null` for anything else. */
export function parseOperations(text: string): { readonly counts: HourlyCounts; readonly mounts: number } | null {
  const rows = text.split('\n').flatMap((line) => {
    // A name, the client's address and mount point, the counts, and their sum.
    const counts = line.split('|').slice(3, -1).map(Number);
    return [KINDS.length, ALL_KINDS.length].includes(counts.length) && counts.every(Number.isInteger) ? [counts] : [];
  });
  if (rows.length === 0) return null;
  const sum = (index: number): number => rows.reduce((total, row) => total + (row[index] ?? 0), 0);
  return { counts: byKind((_, index) => sum(index)), mounts: rows.length };
}

const byKind = (count: (kind: Kind, index: number) => number): HourlyCounts =>
  Object.fromEntries(ALL_KINDS.map((kind, index) => [kind, count(kind, index)])) as HourlyCounts;

/** Operations between two readings of counters that reset each hour. @param lastHour the counts of the hour before; `null` within the same hour */
export function counted(before: HourlyCounts, now: HourlyCounts, lastHour: HourlyCounts | null): HourlyCounts {
  if (lastHour === null) return byKind((kind) => now[kind] - before[kind]);
  // A server that was restarted has counted nothing in the hour before.
  return byKind((kind) => Math.max(0, lastHour[kind] - before[kind]) + now[kind]);
}

export const isReset = (before: HourlyCounts, now: HourlyCounts): boolean =>
  ALL_KINDS.some((kind) => now[kind] < before[kind]);

/** A function that asks a model's metadata server for what it has counted, and for its clients' mounts; `null` while it does not answer. */
export function operationsReader(servers: ModelServers) {
  let before: HourlyCounts | null = null;
  let total = byKind(() => 0);
  return async () => {
    const now = parseOperations(await ask(servers, 'current'));
    if (now === null) return null;
    if (before === null) total = now.counts;
    else {
      const reset = isReset(before, now.counts);
      const lastHour = reset ? parseOperations(await ask(servers, 'last')) : null;
      // Asked again with the next reading: what the hour before counted must not be lost.
      if (reset && lastHour === null) return null;
      const more = counted(before, now.counts, lastHour?.counts ?? null);
      total = byKind((kind) => total[kind] + more[kind]);
    }
    before = now.counts;
    return {
      operations: Object.fromEntries(
        Object.entries(COUNTED).map(([role, kinds]) => [role, kinds.reduce((sum, kind) => sum + total[kind], 0)]),
      ),
      connections: now.mounts,
    };
  };
}

/** Hours as `-m` of mfscli names them. */
const HOURS = { last: '0', current: '1' } as const;

/** Asks at the lowest priority, since the measured work runs on the same processors. */
async function ask({ namespace, address }: ModelServers, hour: keyof typeof HOURS): Promise<string> {
  const question = ['mfscli', '-H', address, '-n', '-p', '-s', '|', '-SMO', '-m', HOURS[hour]];
  const { code, stdout } = await runCommand(
    'nice',
    ['-n', '19', 'nsenter', `--net=/run/netns/${namespace}`, ...question],
    { seconds: 10 },
  );
  return code === 0 ? stdout : '';
}

/** Clock ticks of the kernel's statistics a second: USER_HZ, the same everywhere but on Alpha and IA-64. */
const TICKS_PER_SECOND = 100;

/** CPU seconds that the metadata server has used; `null` after its process has ended. */
export async function cpuSeconds({ namespace }: ModelServers): Promise<number | null> {
  const { stdout } = await runCommand('ip', ['netns', 'pids', namespace]);
  for (const pid of stdout.split('\n').filter((line) => line !== '')) {
    const found = statOf(Number(pid));
    if (found?.name === 'mfsmaster') return found.cpuTicks / TICKS_PER_SECOND;
  }
  return null;
}
