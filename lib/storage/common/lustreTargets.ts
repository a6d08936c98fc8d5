import { mountAbove } from '../../common/mounts';
import type { NodeEnvironment } from '../../schema/environment';
import type { TargetState } from '../../schema/target';
import type { StateOfTarget, TargetReader, Workplace } from '../filesystem';
import { parseLustreSource } from './lustreSource';
import { LOOK_SECONDS } from './space';

/** Type of a mounted Lustre in /proc/mounts. */
export const LUSTRE_TYPE = 'lustre';

type NodeArm = NonNullable<NodeEnvironment['arms']>[string];

/** Below this share of its space a target counts as nearly full: the allocator avoids it (Lustre manual, "Managing Free Space"). */
const NEARLY_FULL = 0.05;

/** Files of a directory whose objects are counted: enough to tell which targets have none. */
const MOST_FILES = 10_000;

/** lctl is in /usr/sbin, which users seldom have on their PATH. */
const LCTL = ['sh', '-c', 'PATH="$PATH:/usr/sbin:/sbin"; exec lctl get_param "$@"', 'lctl'];

const GETSTRIPE = `find "$0" -type f -print0 | head -z -n ${MOST_FILES} | xargs -0 -r lfs getstripe`;

/** Object and metadata targets of a Lustre, as its client knows them. */
export const lustreTargets: TargetReader = {
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
    if (!withSpace || states.length === 0 || states.some(({ state }) => state === 'disconnected')) return states;
    const space = place.commands.named('target-space');
    await space.run(['lfs', 'df', place.mountPoint], LOOK_SECONDS);
    const full = nearlyFullIn(space.text);
    space.discard?.();
    return states.map((each) =>
      each.state === 'active' && full.has(each.name) ? { ...each, state: 'nearly full' as const } : each,
    );
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
      ({ name }) => !states.some((each) => each.name === name && each.state !== 'active'),
    );
    const faults = [
      ...states.flatMap(({ name, state }) => (state === 'active' ? [] : [describeFault(name, state)])),
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

/** A device of a client: `osc.lz4-OST0001-osc-ff110001043a5800.import=`. What ends in a MDT is a server's own. */
const DEVICE = /^(?:osc|mdc)\.(.+-(?:OST|MDT)[0-9a-f]{4})-(?:osc|mdc)-(?!MDT)[^.=]+\.(?:import|state|active)=(.*)$/;

/**
 * State of each target in the output of `lctl get_param` for import, state and active, in the order of the output.
 *
 * @param since an eviction from then on counts
 */
export function statesIn(text: string, since: Date): StateOfTarget[] {
  const found = new Map<string, { state: TargetState; inactive: boolean; evicted: boolean }>();
  let target: { state: TargetState; inactive: boolean; evicted: boolean } | undefined;
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
  return [...found].map(([name, { state, inactive, evicted }]) => ({
    name,
    state: inactive ? 'inactive' : state === 'active' && evicted ? 'evicted' : state,
  }));
}

/** Names of the targets with little space left, from `lfs df`: `lz4-OST0001_UUID 5136384 5099520 33792 100% /mnt/lz4[OST:1]`. */
function nearlyFullIn(lfsDf: string): Set<string> {
  const rows = [...lfsDf.matchAll(/^(\S+)_UUID\s+(\d+)\s+\d+\s+(\d+)\s+\d+%/gm)];
  return new Set(
    rows.flatMap(([, name = '', size, free]) => (Number(free) < NEARLY_FULL * Number(size) ? [name] : [])),
  );
}

/** Objects on each target by its number, from `lfs getstripe` of files; components without data have none. */
export function objectsIn(text: string): Map<number, number> {
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
