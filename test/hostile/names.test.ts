import { dirname } from 'node:path';
import { folderOf } from '../../lib/store/library';
import { soundRun } from '../analysis/runs';
import { fsxbenchIn } from '../cli/support';
import { writeRun } from '../report/writeRun';
import { temporaryFolder } from '../run/bench';

/** Names that every JavaScript object already has: a look-up finds them although nobody set them. */
const NAMES = ['__proto__', 'constructor'];

/** A run in whose documents such a name replaces another, as a value and as a key. */
function hostileRun(replaced: string, name: string): { folder: string; results: string } {
  const record = soundRun({ repeats: 2, compressibilities: [1] });
  const events = [{ at: record.status?.startedAt, kind: 'stopped', message: 'stalled for 9 s' }];
  const sessions = [{ startedAt: record.status?.startedAt, endedAt: record.status?.endedAt, events }];
  const status = { ...record.status, sessions };
  const text = JSON.stringify({ ...record, status, raw: [] }).replaceAll(`"${replaced}"`, `"${name}"`);
  const results = temporaryFolder();
  return { folder: writeRun(JSON.parse(text), folderOf(results, record.plan?.benchmark ?? '', record.run)), results };
}

const PLACES: readonly (readonly [string, string])[] = [
  ['arm', 'lz4'],
  ['operation', 'write'],
  ['metric', 'throughput'],
  ['unit', 'MiB/s'],
  ['tool', 'ior'],
  ['kind of disturbance', 'stopped'],
];

describe.each(PLACES)('a name that every object has, as %s', (_, replaced) => {
  test.each(NAMES)(
    '%s: read, compared and listed, or refused by name; nothing of an object’s own is printed',
    async (name) => {
      const { folder, results } = hostileRun(replaced, name);
      const here = { root: dirname(results), environment: { XDG_STATE_HOME: results } };
      for (const argv of [
        ['report', folder, '--markdown'],
        ['report', folder, '--json'],
        ['report', folder, '--csv'],
        ['compare', folder, folder],
        ['list', '--here', '--results', results],
      ]) {
        const { out, err } = await fsxbenchIn(here, argv);
        expect([argv, `${out}${err}`]).toEqual([
          argv,
          expect.not.stringMatching(
            /\[native code\]|\[object |TypeError|is not a function|Cannot read| {4}at .*:\d+:\d+|undefined/,
          ),
        ]);
      }
      expect(({} as Record<string, unknown>).lz4).toBeUndefined();
    },
  );
});
