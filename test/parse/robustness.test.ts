import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type CommandFile, NO_COMMAND, parseCommandFile, parseFile, parseText } from '../../lib/parse';
import type { ParseDocument, ParsedSample } from '../../lib/schema/parse';
import { drawn } from '../support/drawn';
import { cpuMs } from '../support/patience';
import { type Case, casesOf, FIXTURES } from './corpus';

const cases = casesOf().map((one) => ({ ...one, text: readFileSync(one.path, 'utf8') }));
type Text = Case & { text: string };

const key = (sample: ParsedSample) => JSON.stringify(sample);

/** Every sample and every statistic of a document. */
function figuresOf({ samples, summary }: ParseDocument): Set<string> {
  return new Set([...samples, ...summary].map((figure) => JSON.stringify(figure)));
}

/** Promises of the parser for a file that was cut: no exception, no claim to be whole, no figure that the whole file does not have. */
function checkCut({ path, text }: Text, whole: ReadonlySet<string>, at: number, cmd: CommandFile = NO_COMMAND): void {
  const cut = text.slice(0, at);
  const document = parseText(path, cut, cmd);
  for (const sample of document.samples) {
    if (!whole.has(key(sample))) throw new Error(`cut at ${at}: ${key(sample)} does not stand in the whole file`);
  }
  for (const line of document.summary.filter(({ basis }) => basis !== 'samples')) {
    if (!whole.has(JSON.stringify(line)))
      throw new Error(`cut at ${at}: ${JSON.stringify(line)} is not in the whole file`);
  }
  if (text.slice(at).trim() !== '' && document.complete && !isBetweenRuns(cut)) {
    throw new Error(`cut at ${at} of ${text.length}, yet complete`);
  }
}

/** Between the runs of a file, and behind its last, nothing shows that more was to come: each run that was begun has ended. */
function isBetweenRuns(before: string): boolean {
  const smallfile = before.match(/^ +version : /gm)?.length ?? 0;
  // A run's last line is a warning, if any, else its last rate.
  if (smallfile > 0)
    return /\n(?:WARNING: .* (?:parameters|incomplete)|(?:files|MiB)\/sec = \d+\.\d{6})\s*$/.test(before);
  const begun = before.match(/IOR-\S+: MPI Coordinated.*\n(?!\{)|\bmdtest-\S+ was launched|"Began"/g)?.length ?? 0;
  const ended = before.match(/Finished +: .*\d{4}|-- finished at .* --|"Finished": "[^"]+"\n\}/g)?.length ?? 0;
  return begun > 0 && begun === ended && /(?:[\n}[\]]|--|\d{4})\s*$/.test(before);
}

test.each<Text>(cases)('$id cut anywhere is incomplete and invents nothing', (one) => {
  const whole = figuresOf(parseText(one.path, one.text));
  const runs = Math.max(3, Math.min(20, Math.round(400_000 / (one.text.length + 1))));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Math.max(0, one.text.length - 1) }), (at) => checkCut(one, whole, at)),
    { seed: 20261121, numRuns: runs },
  );
  // A cut near the end does most harm.
  for (let back = 1; back <= Math.min(2 * runs, one.text.length); back += 1)
    checkCut(one, whole, one.text.length - back);
});

/** Moments of a cut, one of every so many bytes, the first drawn: all bytes are the same kind of moment. */
const STEP = 4;
const FIRST = drawn(Array.from({ length: STEP }, (_, at) => at));

/** Looks at a file that was cut at each moment. */
function checkCuts(one: Text, length: number, cmd: CommandFile): void {
  const whole = figuresOf(parseText(one.path, one.text, cmd));
  for (const first of FIRST) for (let at = first; at < length; at += STEP) checkCut(one, whole, at, cmd);
}

const SMALL = [
  'ior330_np1',
  'ior400_np1',
  'ior321_wr_fpp_4r',
  'ior400_csv_stdout_i3',
  'ior330_json_stdout_i1',
  'md330_np1',
  'md400_aws_4r',
  'dd_time_posix',
  'dd_loops_xfs',
  'du_erofs_lz4_330_default',
  'fio_seqwrite_normal',
  'elbencho_files',
  'elbencho_large',
  'elbencho_enospc',
  'smallfile_ops',
  'smallfile_partial',
];

test.each(SMALL)('%s cut at any byte is incomplete and invents nothing', (id) => {
  const one = cases.find((each) => each.id === id) as Text;
  for (const cmd of [NO_COMMAND, parseCommandFile(readFileSync(one.path.replace(/\.out$/, '.cmd'), 'utf8'))])
    checkCuts(one, one.text.length, cmd);
});

test.each(['elbencho_files.csv', 'smallfile_ops.1.json', 'smallfile_ops.2.json', 'smallfile_partial.0.json'])(
  '%s cut at any byte is incomplete and invents nothing',
  (name) => {
    const path = join(FIXTURES, name);
    const text = readFileSync(path, 'utf8');
    const cmd = parseCommandFile(readFileSync(path.replace(/\.(?:\d\.)?(?:csv|json)$/, '.cmd'), 'utf8'));
    checkCuts({ id: name, path, text, expected: null }, text.trimEnd().length, cmd);
  },
);

test('a CSV is complete only with the command that tells its repetitions', () => {
  const { path } = cases.find(({ id }) => id === 'ior400_csv_stdout_i3') as Text;
  expect(parseFile(path).complete).toBe(true);
  const document = parseText(path, readFileSync(path, 'utf8'));
  expect(document).toMatchObject({ complete: false, valid: true });
  expect(document.incompleteReason).toContain('repetitions');
});

test('a file misses the runs that its command announces', () => {
  const { path, text } = cases.find(({ id }) => id === 'ior_mixed_versions_concat') as Text;
  const cmd = parseCommandFile(readFileSync(path.replace(/\.out$/, '.cmd'), 'utf8'));
  const first = text.slice(0, text.indexOf('IOR-', 10));
  expect(parseText(path, text, cmd).complete).toBe(true);
  expect(parseText(path, first, cmd).complete).toBe(false);
});

test('bytes of any kind are neither complete nor valid, and hold no figure', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4000 }), (bytes) => {
      expectNothing(Buffer.from(bytes).toString('utf8'));
    }),
    { seed: 20261121, numRuns: 300 },
  );
  for (let round = 0; round < 5; round += 1) {
    const bytes = randomBytes(200_000);
    expectNothing(bytes.toString('utf8'));
    expectNothing(bytes.toString('latin1'));
  }
});

function expectNothing(text: string): void {
  const { tool, complete, valid, samples, summary } = parseText('random.out', text);
  expect({ tool, complete, valid, samples, summary }).toEqual({
    tool: 'unknown',
    complete: false,
    valid: false,
    samples: [],
    summary: [],
  });
}

test.each([
  ['an opening brace', '{'.repeat(100_000)],
  ['a quote', '"'.repeat(100_000)],
  ['white space', ' '.repeat(200_000)],
  ['a digit', '7'.repeat(200_000)],
  ['an empty line', '\n'.repeat(200_000)],
  ['a carriage return', '\r'.repeat(200_000)],
  ['a fio that opens only', '{"fio version":{'.repeat(12_000)],
  ['an IOR that opens only', '{"Version":'.repeat(20_000)],
  ['a banner', 'IOR-3.3.0: MPI Coordinated Test of Parallel I/O\n'.repeat(4_000)],
  ['rows', `IOR-3.3.0: MPI Coordinated Test of Parallel I/O\n${'write 1 2 3 4 5 6 7 8 9 0\n'.repeat(8_000)}`],
  ['a label', `${'#'.repeat(100_000)} x`],
  ['a long prefix', `[${'1'.repeat(100_000)}<stdout>:`],
  ['a prompt', `${'$ '.repeat(50_000)}du -`],
  ['a parenthesis', `1 bytes ${'('.repeat(100_000)} copied, `],
  ['a job', `${'x: (groupid=1, jobs=1'.repeat(10_000)}`],
  ['a table that opens only', 'OPERATION RESULT TYPE        FIRST DONE  LAST DONE\n'.repeat(4_000)],
  [
    'a row',
    `OPERATION RESULT TYPE        FIRST DONE  LAST DONE\nWRITE     ${' '.repeat(100_000)}:${' 1'.repeat(50_000)}\n`,
  ],
  ['a CSV that opens only', `ISO date,${'operation,time ms [first],'.repeat(8_000)}\n`],
  ['options', `${' '.repeat(33)}version : 3.1\n${'            files/thread : 1\n'.repeat(7_000)}`],
  ['threads', ` version : 3.1\n files/thread : 1\nhost = ${',thr = 1,elapsed = '.repeat(10_000)}\n`],
  ['a smallfile that opens only', '{"params":{"host-set":'.repeat(9_000)],
  ['colours', '\u001b[31m'.repeat(40_000)],
  ['a colour without an end', `\u001b[${'1;'.repeat(100_000)}`],
  ['escapes', '\u001b['.repeat(100_000)],
  ['an error', `ERROR: ${'must be'.repeat(30_000)}`],
])('200 kB of %s take no longer than their size', async (_, text) => {
  const ms = await cpuMs(() => expect(parseText('x.out', text, NO_COMMAND).complete).toBe(false));
  expect(ms).toBeLessThan(2_000);
});
