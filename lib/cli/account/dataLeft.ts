import { join } from 'node:path';
import { commandLine } from '../../common/format/shell';
import { renderTable } from '../../common/format/table';
import { bytes as inUnits } from '../../common/format/units';
import { remove } from '../../common/removeBelow';
import { bytesBelow, DATA_ROOT, type DataLeft, dataLeftBelow } from '../../run/dataLeft';
import { driverOf } from '../../run/driver/lock';
import { recordsHere } from '../../run/started';
import { type CliContext, printJson, Unsuccessful } from '../context';
import { confirm } from '../input/confirm';
import { writableDirectory } from '../start/localRun';

export interface DataLeftOptions {
  /** `true`: wherever a run of this machine worked. */
  readonly on: readonly string[] | true;
  readonly remove?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

interface Found extends DataLeft {
  readonly bytes: number | null;
  /** `unknown` without a record on this machine of who started it. */
  readonly state: 'running' | 'left' | 'unknown';
  readonly removed: boolean;
  /** Why it was not removed. @default - it was, or should not be */
  readonly refused?: string;
}

/** `fsxbench leftovers --on`: data of runs that were never finished; exit status 0 if nothing of them remains. */
export async function dataLeftCommand(context: CliContext, options: DataLeftOptions): Promise<void> {
  const found = await findData(context, options.on);
  const left = found.filter(({ state }) => state === 'left');
  const removes = options.remove === true && left.length > 0;
  if (removes) {
    const what = left.map(({ path, bytes }) => `  ${path} (${inUnits(bytes)})\n`).join('');
    await confirm(
      context,
      `These runs can then no longer be resumed:\n${what}Remove their data?`,
      options.yes ?? false,
    );
  }
  const data: Found[] = [];
  for (const one of found) data.push(removes && one.state === 'left' ? await removed(context, one) : one);
  if (options.json)
    printJson(context, { schema: 'fsxbench.data/1', data: data.map(({ root: _, identity: __, ...one }) => one) });
  else context.out(render(data));
  if (data.some(({ removed, state }) => !removed && state !== 'running')) throw new Unsuccessful('');
}

async function removed({ root }: CliContext, one: Found): Promise<Found> {
  const home = join(root, 'assets', 'client');
  const refused = await remove(home, one.root, [`${DATA_ROOT}/${one.run}`], one.identity);
  return refused === null ? { ...one, removed: true } : { ...one, refused };
}

async function findData(context: CliContext, on: DataLeftOptions['on']): Promise<Found[]> {
  const records = recordsHere(context.environment);
  const worked = records.flatMap(({ client }) => Object.values(client?.arms ?? {}));
  const directories =
    on === true ? worked.map(({ mountPoint }) => mountPoint) : on.map((path) => writableDirectory('--on', path));
  return Promise.all(
    [...new Set(directories)].flatMap(dataLeftBelow).map(async (one): Promise<Found> => {
      const folder = records.find(({ run }) => run === one.run)?.folder;
      const state = folder === undefined ? 'unknown' : (await driverOf(folder)) === null ? 'left' : 'running';
      return { ...one, bytes: await bytesBelow(one.path), state, removed: false };
    }),
  );
}

function render(data: readonly Found[]): string {
  if (data.length === 0) return 'no data of unfinished runs here\n';
  const remedy = ({ run, path, state, removed, refused, unreadable }: Found): string => {
    if (removed) return 'removed';
    if (refused !== undefined) return refused;
    if (unreadable !== undefined) return `nothing: another user's (${unreadable})`;
    if (state === 'running') return 'nothing: it is running';
    if (state === 'left') return `run --resume ${run}, or leftovers --on --remove`;
    return `started elsewhere: resume it there, or ${commandLine(['rm', '-r', path])}`;
  };
  const rows = data.map((one) => [one.run, one.path, inUnits(one.bytes), remedy(one)]);
  return renderTable(['run', 'data', 'size', 'to do'], rows);
}
