// Counters of the kernel's NFS client for one mount, since it was mounted, with any server. Each process may read its own: proc_pid_mountstats(5).

/** Types of mounts that this file reads. */
export const TYPES = ['nfs', 'nfs4'];

/**
 * Fields of the line `bytes:`, in order: what processes read and wrote through the page cache, then past it (O_DIRECT), then what servers were
 * asked for. Source: the kernel's include/linux/nfs_iostat.h, printed by nfs_show_stats of fs/nfs/super.c.
 */
const BYTES = [
  ['nfs_bytes_read'],
  ['nfs_bytes_written'],
  ['nfs_direct_bytes_read'],
  ['nfs_direct_bytes_written'],
  ['nfs_server_bytes_read', { role: 'read' }],
  ['nfs_server_bytes_written', { role: 'written' }],
];

/**
 * Requests by name, each the sum of the operations that versions 3 and 4 have for it (RFC 1813, RFC 8881), with its role in each. In
 * version 4 OPEN makes files, CREATE makes directories and links, and REMOVE removes either, which then have no role.
 */
const REQUESTS = [
  ['nfs_reads', ['READ']],
  ['nfs_writes', ['WRITE']],
  ['nfs_commits', ['COMMIT']],
  ['nfs_opens', ['OPEN', 'OPEN_NOATTR'], { only4: 'file_open' }],
  ['nfs_closes', ['CLOSE']],
  ['nfs_creates', ['CREATE', 'MKNOD'], { only3: 'file_create' }],
  ['nfs_mkdirs', ['MKDIR'], { only3: 'dir_create' }],
  ['nfs_removes', ['REMOVE'], { only3: 'file_remove' }],
  ['nfs_rmdirs', ['RMDIR'], { only3: 'dir_remove' }],
  ['nfs_renames', ['RENAME']],
  ['nfs_lookups', ['LOOKUP', 'LOOKUPP']],
  ['nfs_accesses', ['ACCESS']],
  ['nfs_getattrs', ['GETATTR'], { only3: 'file_stat', only4: 'file_stat' }],
  ['nfs_setattrs', ['SETATTR']],
  ['nfs_readdirs', ['READDIR', 'READDIRPLUS']],
  ['nfs_locks', ['LOCK', 'LOCKT', 'LOCKU']],
];

/** A line of `per-op statistics`: requests, transmissions, time-outs, bytes sent and received, then milliseconds. Source: _print_rpc_iostats of net/sunrpc/stats.c. */
const OPERATION = /^\s*(\w+): (\d+) (\d+) \d+ \d+ \d+ (\d+) (\d+) (\d+)(?: \d+)?\s*$/;

/** Milliseconds of a request: waiting to be sent, from then to the answer (the round trip), and in all. */
const TIMES = ['queued', 'rtt', 'execute'];

const unescaped = (text) => text.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));

/** Lines of the last mount on a point, which hides those before. */
function linesOf(point, table) {
  let found = null;
  let own = null;
  for (const line of table.split('\n')) {
    const [, place] = /^device .* mounted on (\S+) with fstype /.exec(line) ?? [];
    if (line.startsWith('device ')) own = place !== undefined && unescaped(place) === point ? [] : null;
    if (own !== null) {
      own.push(line);
      found = own;
    }
  }
  return found;
}

/** Reads the counters of a mount, or the reason why there are none. */
export function counters({ point, source, type }, { text }) {
  const lines = linesOf(point, text('/proc/self/mountstats') ?? '');
  const bytes = lines?.flatMap((line) => /^\s*bytes:\s+([\d ]+)$/.exec(line)?.[1].trim().split(' ').map(Number) ?? []);
  if (bytes === undefined || bytes.length < BYTES.length)
    return { counters: null, countersReason: `/proc/self/mountstats has no statistics of ${source} on ${point}` };
  const operations = new Map(
    lines.flatMap((line) => {
      const [, name, requests, sent, ...times] = OPERATION.exec(line) ?? [];
      if (name === undefined) return [];
      return [
        [
          name,
          {
            requests: Number(requests),
            sent: Number(sent),
            ...Object.fromEntries(TIMES.map((time, at) => [time, Number(times[at])])),
          },
        ],
      ];
    }),
  );
  const sum = (names, field) => names.reduce((total, name) => total + (operations.get(name)?.[field] ?? 0), 0);
  const seconds = (name, names, time) => ({ name, unit: 's', value: sum(names, time) / 1000 });
  const all = [...operations.keys()];
  return {
    counters: [
      ...BYTES.map(([name, role = {}], at) => ({ name, unit: 'B', value: bytes[at], ...role })),
      ...REQUESTS.map(([name, names, { only3, only4 } = {}]) => {
        const role = type === 'nfs' ? only3 : only4;
        return { name, unit: '1', value: sum(names, 'requests'), ...(role === undefined ? {} : { role }) };
      }),
      { name: 'nfs_requests', unit: '1', value: sum(all, 'requests') },
      // A request is sent again after a timeout, or if its connection was lost.
      { name: 'nfs_sent_again', unit: '1', value: Math.max(0, sum(all, 'sent') - sum(all, 'requests')) },
      seconds('nfs_read_rtt_seconds', ['READ'], 'rtt'),
      seconds('nfs_read_execute_seconds', ['READ'], 'execute'),
      seconds('nfs_write_rtt_seconds', ['WRITE'], 'rtt'),
      seconds('nfs_write_execute_seconds', ['WRITE'], 'execute'),
      seconds('nfs_all_rtt_seconds', all, 'rtt'),
      seconds('nfs_all_execute_seconds', all, 'execute'),
      seconds('nfs_all_queued_seconds', all, 'queued'),
    ],
  };
}
