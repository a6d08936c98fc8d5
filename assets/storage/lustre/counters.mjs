// Counters of a Lustre client for one mount since it was mounted, from lctl: bytes, operations, time in calls, requests to servers.

import { execFileSync } from 'node:child_process';
import { parseSource } from './source.mjs';

/**
 * Each name and unit, and the lines of a client's `stats` that add up to it, with its role in
 * lib/schema/environment.ts: the bytes of a line are the sum of its samples, a number of
 * operations their count. llite counts what processes asked for, osc what object servers were asked for, mdc what metadata servers were
 * ("Monitoring Client Activity", https://doc.lustre.org/lustre_manual.xhtml; `llite_opcode_table` in lustre/llite). A file is made by
 * `create` or, in newer clients, by `mknod`.
 */
const COUNTERS = [
  ['lustre_bytes_read', 'B', 'sum', 'llite', ['read_bytes']],
  ['lustre_bytes_written', 'B', 'sum', 'llite', ['write_bytes']],
  ['lustre_reads', '1', 'count', 'llite', ['read_bytes']],
  ['lustre_writes', '1', 'count', 'llite', ['write_bytes']],
  ['lustre_opens', '1', 'count', 'llite', ['open'], { role: 'file_open' }],
  ['lustre_closes', '1', 'count', 'llite', ['close']],
  ['lustre_creates', '1', 'count', 'llite', ['create', 'mknod'], { role: 'file_create' }],
  ['lustre_unlinks', '1', 'count', 'llite', ['unlink'], { role: 'file_remove' }],
  ['lustre_getattrs', '1', 'count', 'llite', ['getattr'], { role: 'file_stat' }],
  ['lustre_setattrs', '1', 'count', 'llite', ['setattr']],
  ['lustre_mkdirs', '1', 'count', 'llite', ['mkdir'], { role: 'dir_create' }],
  ['lustre_rmdirs', '1', 'count', 'llite', ['rmdir'], { role: 'dir_remove' }],
  ['lustre_renames', '1', 'count', 'llite', ['rename']],
  ['lustre_readdirs', '1', 'count', 'llite', ['readdir']],
  ['lustre_fsyncs', '1', 'count', 'llite', ['fsync']],
  ['lustre_server_bytes_read', 'B', 'sum', 'osc', ['read_bytes'], { role: 'read' }],
  ['lustre_server_bytes_written', 'B', 'sum', 'osc', ['write_bytes'], { role: 'written' }],
  ['lustre_object_requests', '1', 'count', 'osc', ['req_waittime']],
  ['lustre_metadata_requests', '1', 'count', 'mdc', ['req_waittime']],
];

/** Calls of processes. `openclosetime` is how long files stay open, and no call. */
const CALLS =
  /^(?:read|write|ioctl|open|close|seek|fsync|readdir|setattr|truncate|flock|getattr|fallocate|create|link|unlink|symlink|mkdir|rmdir|mknod|rename|statfs|setxattr|getxattr|listxattr|removexattr|inode_permission)$/;

/** `read_bytes  32 samples [bytes] 1048576 1048576 33554432 35184372088832`: number, unit, smallest, largest, sum, sum of squares. */
const LINE = /^(\w+)\s+(\d+) samples \[(\w+)\](?: \d+ \d+ (\d+))?/;
/** A parameter's name; not those of a metadata server's own clients, `osc.fsxvol-OST0000-osc-MDT0000`. */
const NAME = /^(llite|osc|mdc)\..*-[0-9a-f]{8,16}\.stats=$/;

function linesIn(text) {
  const found = [];
  let part = null;
  for (const line of text.split('\n')) {
    if (line.endsWith('.stats=')) part = NAME.exec(line)?.[1] ?? null;
    const [, name, count, unit, sum = '0'] = LINE.exec(line) ?? [];
    if (part !== null && name !== undefined) found.push({ part, name, unit, count: Number(count), sum: Number(sum) });
  }
  return found;
}

/** Size of a page, of which requests have whole numbers. */
const PAGE = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8', timeout: 5000 }));

/**
 * Adds up the histograms `pages per rpc` of object servers' clients (`osc_rpc_stats_seq_show` of lustre/osc): a line `256:  19  9 100 |  0 0 0`
 * says how many requests to read, and to write, had more than half as many pages and at most so many.
 */
function requestsIn(text) {
  const found = { reads: 0, writes: 0, readAtMost: 0, writtenAtMost: 0 };
  let within = false;
  let any = false;
  for (const line of text.split('\n')) {
    const [, most, reads, writes] = /^(\d+):\s+(\d+)\s+\d+\s+\d+\s+\|\s+(\d+)\s/.exec(line) ?? [];
    if (line.startsWith('pages per rpc')) within = any = true;
    else if (most === undefined) within = false;
    if (!within || most === undefined) continue;
    found.reads += Number(reads);
    found.writes += Number(writes);
    found.readAtMost += Number(reads) * Number(most) * PAGE;
    found.writtenAtMost += Number(writes) * Number(most) * PAGE;
  }
  return any ? found : null;
}

/**
 * Every user can read `stats` before 2.12, in /proc/fs/lustre, and from 2.17 on, where lctl asks the kernel by netlink without rights. In between,
 * they are in debugfs; osc.*.rpc_stats stay in /proc/fs/lustre with mode 0644. Source: their registration in lustre/llite, lustre/ptlrpc and
 * lustre/osc, and Lustre's netlink operations, by the tags 2.10.0 to 2.17.0 of git.whamcloud.com/fs/lustre-release.git.
 */
const OPEN_IT =
  'Lustre 2.12 to 2.16 keep them in debugfs, which only root may enter until an administrator opens it to a group of yours: mount -o remount,gid=GROUP,mode=0750 /sys/kernel/debug';

/** Reads what everybody may read of a mount, or the reason why that is nothing. */
async function withoutRights(fileSystem, why, output) {
  const { text } = await output('lctl', ['get_param', `osc.${fileSystem}-*.rpc_stats`]);
  const requests = requestsIn(text);
  if (requests === null) return { counters: null, countersReason: `${why}; ${OPEN_IT}` };
  return {
    counters: [
      { name: 'lustre_read_requests', unit: '1', value: requests.reads },
      { name: 'lustre_write_requests', unit: '1', value: requests.writes },
      { name: 'lustre_server_bytes_read_at_most', unit: 'B', value: requests.readAtMost },
      { name: 'lustre_server_bytes_written_at_most', unit: 'B', value: requests.writtenAtMost },
    ],
    countersReason: `${why}, so that only requests to object servers are known (osc.*.rpc_stats); ${OPEN_IT}`,
  };
}

/** Returns the counters of a mount by its source, such as `10.0.0.1@tcp:/fsxvol`, or the reason why there are none. */
export async function counters({ source }, { output }) {
  const fileSystem = parseSource(source)?.fileSystem;
  if (fileSystem === undefined) return { counters: null, countersReason: `${source} is not a source of Lustre` };
  const { text, failure } = await output('lctl', [
    'get_param',
    `llite.${fileSystem}-*.stats`,
    `osc.${fileSystem}-*.stats`,
    `mdc.${fileSystem}-*.stats`,
  ]);
  const lines = linesIn(text);
  if (!lines.some(({ part }) => part === 'llite')) {
    const why = `lctl shows no statistics of ${fileSystem} (${failure ?? 'none were printed'})`;
    return process.getuid() === 0 ? { counters: null, countersReason: why } : withoutRights(fileSystem, why, output);
  }
  const found = COUNTERS.map(([name, unit, field, part, names, role = {}]) => ({
    name,
    unit,
    value: lines
      .filter((line) => line.part === part && names.includes(line.name))
      .reduce((total, line) => total + line[field], 0),
    ...role,
  }));
  const calls = lines.filter(({ part, name, unit }) => part === 'llite' && unit === 'usecs' && CALLS.test(name));
  // Clients before 2.13 count calls without their time.
  if (calls.length > 0 || lines.every(({ unit }) => unit !== 'regs'))
    found.push({
      ...{ name: 'lustre_call_seconds', unit: 's', role: 'calls' },
      value: calls.reduce((total, { sum }) => total + sum, 0) / 1e6,
    });
  return { counters: found };
}
