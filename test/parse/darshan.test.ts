import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFile, parseText } from '../../lib/parse';
import { recordedIn, recordedWords } from '../../lib/parse/recorded';
import { splitLines } from '../../lib/workload/common/parse/lines';
import { TOOLS } from '../../lib/workload/lookup';
import { fsxbenchIn } from '../cli/support';
import { temporaryFolder } from '../run/bench';
import { casesOf, FIXTURES } from './corpus';
import { expectedVerdict, verdictOf } from './verdict';

const textOf = (name: string): string => readFileSync(join(FIXTURES, `${name}.out`), 'utf8');

test.each(casesOf('darshan'))('$id gives the figures that darshan-parser --total prints', ({ path, expected }) => {
  const document = parseFile(path);
  expect(verdictOf(document, expected)).toEqual(expectedVerdict(expected));
  const sums: Record<string, number> = {};
  for (const { test: record, operation, metric, value } of document.samples)
    if (String(record).startsWith('POSIX'))
      sums[`${operation} ${metric}`] = (sums[`${operation} ${metric}`] ?? 0) + (value ?? 0);
  // Times are rounded in each record, and so are their sums.
  expect(sums).toEqual(
    Object.fromEntries(
      Object.entries(expected.figures).map(([name, value]) => [name, expect.closeTo(value as number, 4)]),
    ),
  );
});

test('a log without an end, and one without records, have problems', () => {
  const text = textOf('darshan_ior_shared');
  expect(parseText('x.out', text.slice(0, text.lastIndexOf('POSIX_BYTES_READ')))).toMatchObject({
    tool: 'darshan',
    complete: false,
    valid: false,
    problems: ['truncated'],
  });
  expect(parseText('x.out', text.slice(0, 200)).problems).toContain('no_result_rows');
});

test('what a program did is read from its log as it was started', () => {
  expect(recordedIn(join(FIXTURES, 'darshan_ior_fpp.out'))).toMatchObject({
    processes: 4,
    seconds: 0.1385,
    files: { shared: 0, partly: 0, own: 4 },
    opens: 8,
    syncs: 4,
    write: { bytes: 16 * 2 ** 20, operations: 64, transferBytes: 2 ** 18, order: 'sequential' },
    read: { bytes: 16 * 2 ** 20, operations: 64, transferBytes: 2 ** 18, order: 'sequential' },
  });
  const shared = recordedIn(join(FIXTURES, 'darshan_ior_shared.out'));
  expect(shared).toMatchObject({
    files: { shared: 1, partly: 0, own: 0 },
    write: { bytes: 16 * 2 ** 20, transferBytes: 2 ** 16, order: 'random' },
  });
  expect(recordedWords(shared)).toBe(
    '4 processes wrote 16 MiB in random transfers of 64 KiB and read 16 MiB in random transfers of 64 KiB, in 1 file of all processes, with 8 opens, 0 stats and 0 syncs, in 0.1 s: 12 % of their time in transfers, 0 % in other calls on files.',
  );
});

test('totals have no files, and another tool’s output no program', () => {
  const { recorded } = TOOLS.find((tool) => tool.recorded) ?? {};
  expect(() => recorded?.(splitLines(textOf('darshan_ior_fpp_total')))).toThrow(
    'it has no records of files of POSIX: give the log itself',
  );
  expect(() => recordedIn(join(FIXTURES, 'ior400_v.out'))).toThrow('is not a record of a program by darshan');
});

test('a binary log is read by darshan-parser, and without it names what to install', async () => {
  const folder = temporaryFolder();
  const log = join(folder, 'user_app.darshan');
  writeFileSync(log, '3.41');
  const before = process.env.PATH;
  process.env.PATH = folder;
  try {
    const { status, err } = await fsxbenchIn({}, ['parse', log]);
    expect([status, err]).toEqual([
      1,
      expect.stringContaining(
        `'${log}' is binary, and there is no darshan-parser on the PATH to read it: install darshan-util`,
      ),
    ]);
    writeFileSync(
      join(folder, 'darshan-parser'),
      `#!/bin/sh\n[ "$1" = '${log}' ] && exec /bin/cat '${join(FIXTURES, 'darshan_ior_fpp.out')}'\n`,
    );
    chmodSync(join(folder, 'darshan-parser'), 0o755);
    expect(parseFile(log)).toMatchObject({ file: log, tool: 'darshan', version: '3.5.0', complete: true });
    writeFileSync(
      join(folder, 'darshan-parser'),
      '#!/bin/sh\necho "Error: failed to read darshan log file header." >&2; exit 1\n',
    );
    expect(() => parseFile(log)).toThrow(
      `darshan-parser cannot read '${log}': Error: failed to read darshan log file header.`,
    );
  } finally {
    process.env.PATH = before;
  }
});
