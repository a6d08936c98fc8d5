import { join } from 'node:path';
import { described, whole } from '../../common/field';
import { mountAbove } from '../../common/mounts';
import type { NodeEnvironment } from '../../schema/environment';
import type { TargetState } from '../../schema/sample';
import type { Measured } from '../../workload/common/measured';
import type { Filesystem, MetadataSpread, Readout, TargetReader, Workplace } from '../filesystem';
import { capacityOf, LOOK_SECONDS, spaceByDu } from './space';

/** Parts of what the kernel shows for a mounted Lustre. */
interface LustreSource {
  /** Name of the file system; on FSx the mount name. */
  readonly fileSystem: string;
  /** Folder of the file system that is mounted, such as `/projects`; empty if all of it is. */
  readonly folder: string;
  /** Servers, such as `10.0.0.15@tcp`, in the source's order. */
  readonly nids: readonly string[];
}

/**
 * Parts of a source `NID[,NID…][:NID…]:/fsname[/folder]` (mount.lustre(8)), or `null` if it is not one of a Lustre client.
 * assets/storage/lustre/source.mjs has the same for the clients' scripts; test/fixtures/lustre/sources.json has the cases of both.
 */
export function parseLustreSource(source: string): LustreSource | null {
  const [, servers = '', fileSystem, folder = ''] = /^([^/]+):\/+([\w-]+)((?:\/[\s\S]*)?)$/.exec(source) ?? [];
  // IPv6 addresses have colons as well: one between servers comes after a network.
  const nids = servers.split(/,|(?<=@\w+):/).map((nid) => (nid.includes('@') ? nid : `${nid}@tcp`));
  if (fileSystem === undefined || nids.some((nid) => !/^[^@]+@\w+$/.test(nid))) return null;
  const names = folder.split('/').filter((name) => name !== '');
  return { fileSystem, folder: names.map((name) => `/${name}`).join(''), nids };
}

/** `mdt0/round1/test-dir.0-0/mdtest_tree.0.0` as mdtest names them; deeper are only the files. */
const RANKS = ['-mindepth', '4', '-maxdepth', '4', '-type', 'd', '-name', 'mdtest_tree.*'];

/** A directory on each metadata target, `mdt0`, `mdt1`, …, whose own subdirectories stay on it. */
const spread: MetadataSpread = {
  async make(place) {
    const look = place.commands.named('targets');
    const failure = await look.run(['lfs', 'df', place.mountPoint], place.seconds);
    const indices = metadataTargetsIn(look.text);
    if (failure !== null || indices.length === 0)
      return { measured: [], failure: failure ?? 'lfs df named no metadata target' };
    for (const index of indices) {
      const wrong = await makeOnTarget(place, index);
      if (wrong !== null) return { measured: [], failure: wrong };
    }
    const count: Measured = { operation: 'metadata_targets', metric: 'count', value: indices.length, unit: '1' };
    return { measured: [count], failure: null };
  },
  directories: (names) =>
    names.filter((name) => /^mdt\d+$/.test(name)).sort((a, b) => Number(a.slice(3)) - Number(b.slice(3))),
  async verify({ commands, directory, seconds }, names): Promise<Readout> {
    const command = ['find', directory, ...RANKS, '-exec', 'lfs', 'getdirstripe', '-m', '{}', ';'];
    const failure = await commands.run(command, seconds);
    return { measured: spreadOf(commands.text, spread.directories(names)), failure };
  },
};

/** @returns why it could not, or `null` */
async function makeOnTarget({ directory, commands, seconds, owned }: Workplace, index: number): Promise<string | null> {
  const path = join(directory, `mdt${index}`);
  const target = ['-i', String(index), '-c', '1'];
  const making = [
    ['lfs', 'mkdir', ...target, path],
    ['lfs', 'setdirstripe', '-D', ...target, '--max-inherit', '-1', path],
    ...owned(path),
  ];
  const failure = await commands.named(`mdt${index}`).each(making, seconds);
  if (failure !== null) return failure;
  // `lfs mkdir` can succeed without doing as requested (facts-tools, "More of what a real Lustre 2.15 does").
  const verify = commands.named(`mdt${index}-verify`);
  const unread = await verify.run(['lfs', 'getdirstripe', '-m', path], seconds);
  const [found] = targetIndices(verify.text);
  if (unread === null && found === index) return null;
  return `mdt${index}: ${unread ?? `the directory is on metadata target ${found ?? 'unknown'}`}`;
}

/** Numbers of the metadata targets that `lfs df` lists: `fsxvol-MDT0000_UUID … /fsx[MDT:0]`, sorted. */
function metadataTargetsIn(lfsDf: string): number[] {
  const found = [...lfsDf.matchAll(/\[MDT:(\d+)\]/g)].map((match) => Number(match[1]));
  return [...new Set(found)].sort((a, b) => a - b);
}

/** Parses the output of `lfs getdirstripe -m`: one number per line and directory. */
const targetIndices = (text: string): number[] =>
  text
    .split('\n')
    .filter((line) => /^\s*\d+\s*$/.test(line))
    .map(Number);

/**
 * Counts the ranks' directories on each metadata target, and their evenness: minimum ÷ maximum, 1 if all have as many.
 * @param text output of `lfs getdirstripe -m` on each of them @param targets of the spread, `mdt0`, `mdt1`, …, which may have no directory
 */
function spreadOf(text: string, targets: readonly string[]): Measured[] {
  const indices = targetIndices(text);
  const known = [...new Set([...targets.map((name) => Number(name.slice(3))), ...indices])].sort((a, b) => a - b);
  const counts = known.map((index) => indices.filter((each) => each === index).length);
  const even = indices.length === 0 ? null : Math.min(...counts) / Math.max(...counts);
  return [
    ...known.map((index, at): Measured => {
      const metric = `MDT${index.toString(16).padStart(4, '0')}`;
      return { operation: 'directories', metric, value: counts[at] ?? 0, unit: '1' };
    }),
    {
      operation: 'directories',
      metric: 'evenness',
      value: even,
      unit: '1',
      reason: even === null ? 'lfs getdirstripe named no directory of a rank' : undefined,
    },
  ];
}

/** Type of a mounted Lustre in /proc/mounts. */
export const LUSTRE_TYPE = 'lustre';

type NodeArm = NonNullable<NodeEnvironment['arms']>[string];

/** Below this share of its space a target counts as nearly full: the allocator avoids it (Lustre manual, "Managing Free Space"). */
const NEARLY_FULL = 0.05;

/** Files of a directory whose objects are counted: enough to find targets without objects. */
const MOST_FILES = 10_000;

/** lctl is in /usr/sbin, which users seldom have on their PATH. */
const LCTL = ['sh', '-c', 'PATH="$PATH:/usr/sbin:/sbin"; exec lctl get_param "$@"', 'lctl'];

const GETSTRIPE = `find "$0" -type f -print0 | head -z -n ${MOST_FILES} | xargs -0 -r lfs getstripe`;

/** Object and metadata targets of a Lustre, as its client knows them. */
const lustreTargets: TargetReader = {
  async states(place, { since, withSpace }) {
    const commands = place.commands.named('targets');
    const name = fileSystemOf(place) ?? '*';
    const parameters = ['import', 'state', 'active'].flatMap((parameter) => [
      `osc.${name}-OST*-osc-*.${parameter}`,
      `mdc.${name}-MDT*-mdc-*.${parameter}`,
    ]);
    // The kernel answers by itself, without asking a server. The status is not 0 if one parameter is missing: what was printed counts.
    await commands.run([...LCTL, ...parameters], LOOK_SECONDS);
    const states = statesIn(commands.text, since);
    commands.discard?.();
    // `lfs df` waits for a target that is away, and does not even end on SIGKILL (test/fixtures/lustre/ost-unmounted-lfs-df).
    if (!withSpace || states.size === 0 || [...states.values()].includes('disconnected')) return states;
    const space = place.commands.named('target-space');
    await space.run(['lfs', 'df', place.mountPoint], LOOK_SECONDS);
    const full = nearlyFullIn(space.text);
    space.discard?.();
    for (const name of full) if (states.get(name) === 'active') states.set(name, 'nearly full');
    return states;
  },
  async objects(place, names) {
    const commands = place.commands.named('stripes');
    const failure = await commands.run(['sh', '-c', GETSTRIPE, place.directory], LOOK_SECONDS);
    const counts = failure === null ? objectsIn(commands.text) : null;
    commands.discard?.();
    if (counts === null) return null;
    const ofTargets = names.map((name) => [name, counts.get(indexOf(name) ?? -1) ?? 0] as const);
    return new Map(ofTargets.filter(([name]) => indexOf(name) !== null));
  },
  async fault(place, since) {
    const states = await lustreTargets.states(place, { since, withSpace: false });
    const check = place.commands.named('servers');
    // Its status is 0 with a target that is away, and the reason is on stderr: the text counts.
    await check.run(['lfs', 'check', 'servers'], LOOK_SECONDS);
    const silent = failingIn(check.text, fileSystemOf(place)).filter(
      ({ name }) => (states.get(name) ?? 'active') === 'active',
    );
    const faults = [
      ...[...states].flatMap(([name, state]) => (state === 'active' ? [] : [describeFault(name, state)])),
      ...silent.map(({ name, reason }) => `${describeFault(name, 'disconnected')} (${reason})`),
    ];
    return faults.length === 0 ? null : faults.join('; ');
  },
};

const fileSystemOf = ({ mountPoint }: Workplace): string | null => {
  const mount = mountAbove(mountPoint);
  return mount?.type === LUSTRE_TYPE ? (parseLustreSource(mount.device)?.fileSystem ?? null) : null;
};

/** Number of an object target, from its name; `null` for a metadata target. */
const indexOf = (name: string): number | null => {
  const [, digits] = /-OST([0-9a-f]{4})$/i.exec(name) ?? [];
  return digits === undefined ? null : Number.parseInt(digits, 16);
};

/** What to do about a target that is not active. */
export function describeFault(name: string, state: TargetState): string {
  switch (state) {
    case 'inactive':
      return `${name} is inactive: activate it as root with lctl set_param '*.${name}-*.active=1'`;
    case 'disconnected':
      return `${name} does not answer: see lfs check servers, wait until its server is back, and continue with --resume`;
    case 'evicted':
      return `${name} evicted this client, which lost unwritten data: look for faults of the network or of its server at that time (dmesg), and continue with --resume`;
    case 'nearly full':
      return `${name} is nearly full: remove data, or lfs migrate files to other targets`;
    default:
      return `${name} is active`;
  }
}

/** States that an import keeps. Others are on the way from one of these to the next: lustre/ptlrpc/import.c. */
const LASTING: Readonly<Record<string, TargetState>> = {
  FULL: 'active',
  // Disconnected by the client itself, since it had nothing to ask for; the next request connects.
  IDLE: 'active',
  DISCONN: 'disconnected',
  CLOSED: 'disconnected',
  EVICTED: 'disconnected',
};

/** A device of a client: `osc.lz4-OST0001-osc-ff110001043a5800.import=`. A name that ends in an MDT is a server's own. */
const DEVICE = /^(?:osc|mdc)\.(.+-(?:OST|MDT)[0-9a-f]{4})-(?:osc|mdc)-(?!MDT)[^.=]+\.(?:import|state|active)=(.*)$/;

/** State of each target in the output of `lctl get_param` for import, state and active, in its order. @param since an eviction from then on counts */
function statesIn(text: string, since: Date): Map<string, TargetState> {
  type Seen = { state: TargetState; inactive: boolean; evicted: boolean };
  const found = new Map<string, Seen>();
  let target: Seen | undefined;
  for (const line of text.split('\n')) {
    const [, name, value] = DEVICE.exec(line) ?? [];
    if (name !== undefined) {
      target = found.get(name) ?? { state: 'active', inactive: false, evicted: false };
      found.set(name, target);
      if (value === '0') target.inactive = true;
    } else if (/^\S/.test(line) && !/^(import|current_state|state_history):/.test(line)) target = undefined;
    if (target === undefined) continue;
    const [, flags] = /^\s+import_flags: \[(.*)\]/.exec(line) ?? [];
    if (/\b(deactive|deactivated)\b/.test(flags ?? '')) target.inactive = true;
    const [, seconds, entered] = /^ - \[ (\d+), (\w+) \]/.exec(line) ?? [];
    const state =
      entered ??
      /^\s+state: (\w+)|^current_state: (\w+)/
        .exec(line)
        ?.slice(1)
        .find((word) => word);
    target.state = LASTING[state ?? ''] ?? target.state;
    if (entered === 'EVICTED' && Number(seconds) >= Math.floor(since.getTime() / 1000)) target.evicted = true;
  }
  const stateOf = ({ state, inactive, evicted }: Seen): TargetState =>
    inactive ? 'inactive' : state === 'active' && evicted ? 'evicted' : state;
  return new Map([...found].map(([name, seen]) => [name, stateOf(seen)]));
}

/** Names of the targets with little space left, from `lfs df`: `lz4-OST0001_UUID 5136384 5099520 33792 100% /mnt/lz4[OST:1]`. */
function nearlyFullIn(lfsDf: string): Set<string> {
  const rows = [...lfsDf.matchAll(/^(\S+)_UUID\s+(\d+)\s+\d+\s+(\d+)\s+\d+%/gm)];
  return new Set(
    rows.flatMap(([, name = '', size, free]) => (Number(free) < NEARLY_FULL * Number(size) ? [name] : [])),
  );
}

/** Objects on each target by its number, from `lfs getstripe` of files; components without data have none. */
function objectsIn(text: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [, plain, inComponent] of text.matchAll(/^\t\s*(\d+)\t\s*\d+\t|l_ost_idx: (\d+)/gm)) {
    const index = Number(plain ?? inComponent);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return counts;
}

/** Targets that clients said they cannot reach, from the lines of `lfs check servers` in their descriptions, each once. */
export const targetsAway = (arms: readonly (NodeArm | undefined)[]): string[] => [
  ...new Set(arms.flatMap((arm) => failingIn((arm?.inactive ?? []).join('\n'), null).map(({ name }) => name))),
];

/** Targets of a file system that `lfs check servers` names in an error, with the reason. */
function failingIn(text: string, fileSystem: string | null): { name: string; reason: string }[] {
  const errors = [...text.matchAll(/check '(.+-(?:OST|MDT)[0-9a-f]{4})-(?:osc|mdc)-(?!MDT)[^']+': (.+)$/gm)];
  return errors.flatMap(([, name = '', reason = '']) =>
    fileSystem === null || name.startsWith(`${fileSystem}-`) ? [{ name, reason }] : [],
  );
}

/** TCP ports of servers and clients. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/limit-access-security-groups.html. */
export const LUSTRE_PORTS: readonly (readonly [first: number, last: number])[] = [
  [988, 988],
  [1018, 1023],
];

/** Mount options of the studies. `flock` lets MPI-IO lock; atime would cost a metadata operation for each read. */
export const LUSTRE_MOUNT_OPTIONS = 'noatime,flock';

/** OSTs that a file is striped over: -1 for all, 0 for the default of the file system. */
export const STRIPE_COUNT = whole(-1, 2000);

export const lustreFilesystem: Filesystem = {
  type: 'lustre',
  remote: true,
  space: spaceByDu,
  capacity: {
    source: 'lfs df',
    async read(place) {
      const { commands, mountPoint } = place;
      const before = commands.text.length;
      const failure = await commands.run(['lfs', 'df', mountPoint], LOOK_SECONDS);
      const text = commands.text.slice(before);
      if (failure !== null) return { measured: capacityFromLfsDf(text), failure: `lfs df: ${failure}` };
      const known = await lustreTargets.states(place, { since: new Date(), withSpace: false });
      return { measured: capacityFromLfsDf(text, [...known.keys()]), failure: null };
    },
  },
  layout: {
    parameters: { stripeCount: described(STRIPE_COUNT) },
    commands: (directory, { stripeCount }) =>
      typeof stripeCount === 'number' ? [['lfs', 'setstripe', '-c', String(stripeCount), directory]] : [],
  },
  spread,
  targets: lustreTargets,
  settles: true,
};

/**
 * Reads the `filesystem_summary:` line of `lfs df`, in KiB. `lfs df` has status 0 even if a target is away, and then its summary is incomplete.
 * @param targets names of the targets that the client knows
 */
export function capacityFromLfsDf(text: string, targets: readonly string[] = []): Measured[] {
  const rows = [...text.matchAll(/^(\S+)_UUID\s+(\d+\s+\d+|:)/gm)];
  const listed = new Set(rows.flatMap(([, name = '', cells]) => (cells === ':' ? [] : [name])));
  // Of this file system alone: the client may have mounted others.
  const fileSystem = /^\S+(?=-(?:OST|MDT))/.exec(rows[0]?.[1] ?? '')?.[0];
  const known = [...targets.filter((name) => name.startsWith(`${fileSystem}-`)), ...rows.map(([, name = '']) => name)];
  const away = [...new Set(known)].filter((name) => indexOf(name) !== null && !listed.has(name));
  if (away.length > 0) return capacityOf([], `lfs df leaves out ${away.join(', ')}: see lfs check servers`);
  const cells = /^filesystem_summary:\s+(\d+)\s+(\d+)\s+(\d+)/m.exec(text);
  return capacityOf(cells?.slice(1).map((kib) => Number(kib) * 1024) ?? [], 'lfs df printed no summary');
}
