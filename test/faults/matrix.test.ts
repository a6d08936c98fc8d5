import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAULTS } from './faults';
import { MooseFs } from './moosefs';
import { SlowDisk } from './slowDisk';
import { type Row, trial } from './trial';

const PAGE = join(__dirname, 'matrix.md');
/** Only the faults whose id begins with it. @default - those that are quick, or all in `npm test -- --all` */
const wanted = process.env.FSXBENCH_FAULT ?? (process.env.FSXBENCH_ALL === undefined ? undefined : 'all');
/** Most of a run is waiting. */
const AT_ONCE = 6;

if (wanted !== undefined) jest.setTimeout(1_800_000);

const mayMount = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
const chosen = FAULTS.filter(({ id, quick, disks, moosefs, fuse }) => {
  if (wanted === undefined ? !quick : wanted !== 'all' && !id.startsWith(wanted)) return false;
  return (!disks || mayMount) && (!moosefs || MooseFs.obstacle() === null) && (!fuse || SlowDisk.possible());
});
const rows = new Map<string, Row>();

beforeAll(async () => {
  const left = [...chosen];
  const work = async (): Promise<void> => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift()) {
      const { id, what } = fault;
      const failed = (error: unknown): Row => ({
        id,
        what,
        before: 0,
        after: 0,
        said: 'nowhere',
        words: '',
        lost: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
      });
      rows.set(id, await trial(fault).catch(failed));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
});

describe.each(chosen.map(({ id, what }) => [id, what]))('%s: %s', (id) => {
  test('no sample is lost, each measurement has its value in the end, and the store has all', () => {
    expect(rows.get(id)?.lost).toEqual([]);
    expect(rows.get(id)?.after).toBeGreaterThanOrEqual(rows.get(id)?.before ?? 0);
  });

  test('the report or the driver’s log says so', () => {
    const { said, words } = rows.get(id) as Row;
    if (said === 'nowhere') throw new Error(`nothing says so; what was said:\n${words}`);
  });
});

const HEAD = '| fault | samples when it happened | in the end | lost | said in |\n|---|---|---|---|---|\n';
const lineOf = ({ what, before, after, lost, said }: Row): string =>
  `| ${what} | ${before} | ${after} | ${lost.length} | ${said} |`;

test('the table in test/faults/matrix.md is that of the declared faults, without a lost sample', () => {
  const text = readFileSync(PAGE, 'utf8');
  const start = text.indexOf(HEAD) + HEAD.length;
  const end = text.indexOf('\n\n', start) + 1;
  const lines = new Map(
    text
      .slice(start, end)
      .split('\n')
      .map((line) => [line.split(' | ')[0]?.slice(2), line]),
  );
  if (wanted !== undefined) {
    for (const row of rows.values()) if (row.said !== 'nowhere') lines.set(row.what, lineOf(row));
    for (const what of lines.keys()) if (FAULTS.every((fault) => fault.what !== what)) lines.delete(what);
    const table = FAULTS.map(({ what }) => `${lines.get(what) ?? `| ${what} | not tried yet |`}\n`).join('');
    writeFileSync(PAGE, `${text.slice(0, start)}${table}${text.slice(end)}`);
  }
  // Stale: run `npm run faults`, which writes it.
  expect([...lines.keys()].filter(Boolean).sort()).toEqual(FAULTS.map(({ what }) => what).sort());
  expect(FAULTS.map(({ what }) => lines.get(what)?.split(' | ')[3])).toEqual(FAULTS.map(() => '0'));
});
