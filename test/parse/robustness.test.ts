import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type CommandFile, NO_COMMAND, parseCommandFile, parseText } from '../../lib/parse';
import type { ParseDocument } from '../../lib/schema/parse';
import { draws, SEED } from '../support/drawn';
import { cpuMs } from '../support/patience';
import { type Case, casesOf, FIXTURES } from './corpus';

const cases = casesOf().map((one) => ({ ...one, text: readFileSync(one.path, 'utf8') }));
type Text = Case & { text: string };

/** Every sample and every statistic of a document. */
const figuresOf = ({ samples, summary }: Pick<ParseDocument, 'samples' | 'summary'>): Set<string> =>
  new Set([...samples, ...summary].map((figure) => JSON.stringify(figure)));

/** Promises of the parser for a file that was cut: no exception, no claim to be whole, no figure that the whole file does not have. */
function checkCut({ path, text }: Text, whole: ReadonlySet<string>, at: number, cmd: CommandFile = NO_COMMAND): void {
  const cut = text.slice(0, at);
  const document = parseText(path, cut, cmd);
  const { samples } = document;
  const summary = document.summary.filter(({ basis }) => basis !== 'samples');
  for (const figure of figuresOf({ samples, summary }))
    if (!whole.has(figure)) throw new Error(`cut at ${at}: ${figure} does not stand in the whole file`);
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
  const runs = Math.max(3, Math.min(draws(20, 5), Math.round(400_000 / (one.text.length + 1))));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Math.max(0, one.text.length - 1) }), (at) => checkCut(one, whole, at)),
    { seed: 20261121, numRuns: runs },
  );
  // A cut near the end does most harm.
  for (let back = 1; back <= Math.min(2 * runs, one.text.length); back += 1)
    checkCut(one, whole, one.text.length - back);
});

/** Moments of a cut, one of every so many bytes, the first drawn: all bytes are the same kind of moment. */
const STEP = 16 / draws(4, 1);
const FIRST = SEED % STEP;

/** Looks at a file that was cut at each moment. */
function checkCuts(one: Text, length: number, cmd: CommandFile): void {
  const whole = figuresOf(parseText(one.path, one.text, cmd));
  for (let at = FIRST; at < length; at += STEP) checkCut(one, whole, at, cmd);
}

const SMALL = [
  ...['ior330_np1', 'ior400_np1', 'ior321_wr_fpp_4r', 'ior400_csv_stdout_i3', 'ior330_json_stdout_i1'],
  ...['md330_np1', 'md400_aws_4r', 'dd_time_posix', 'dd_loops_xfs', 'du_erofs_lz4_330_default', 'fio_seqwrite_normal'],
  ...['elbencho_files', 'elbencho_large', 'elbencho_enospc', 'smallfile_ops', 'smallfile_partial'],
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
  const nothing = { tool: 'unknown', complete: false, valid: false, samples: [], summary: [] };
  expect(parseText('random.out', text)).toMatchObject(nothing);
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
  ['a row', `OPERATION RESULT TYPE        FIRST DONE  LAST DONE\nWRITE ${' '.repeat(99_999)}:${' 1'.repeat(50_000)}\n`],
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

const textOf = (name: string) => readFileSync(join(FIXTURES, name), 'utf8');
const commandOf = (name: string) => parseCommandFile(textOf(name.replace(/\..*$/, '.cmd')));

const rows = textOf('ior330_wr_fpp_8r_i5.out');
const sums = textOf('md400_both_i5_v.out');

type Damage = readonly [what: string, from: string | RegExp, to: string, code: string];

/** Found by mutation: each stands in a real output, and passed as complete and valid. */
const DAMAGES: Readonly<Record<string, readonly Damage[]>> = {
  'ior330_wr_fpp_8r_i5.out': [
    ['a row above the Max of its summary', '263.92 ', '2639.2 ', 'figures_disagree'],
    ['a rate over no time', '263.92 ', 'inf    ', 'nonsense_rates'],
    ['a row below the Min of its summary', '207.35 ', '20.735 ', 'figures_disagree'],
    ['a row between Min and Max, beside the Mean', '242.28 ', '212.28 ', 'figures_disagree'],
    ['a Max above every row', 'write         263.92', 'write         963.92', 'figures_disagree'],
    ['a part longer than the whole', /(0\.093168 .* )0\.484954/, '$14.484954', 'figures_disagree'],
    ['a negative time', '0.069034', '-0.069034', 'nonsense_rates'],
    ['a time of 400 digits', '0.069034', '9'.repeat(400), 'nonsense_rates'],
    ['the summary of one operation lost', /\nread +2531\.76 +1533.*/, '', 'no_summary'],
    ['a hole of NUL bytes between rows', /remove .*\n/, '\0'.repeat(300), 'nul_bytes'],
  ],
  'ior330_np1.out': [['bytes that are not bandwidth × time', /(aggregate filesize +: )\S+/, '$19', 'figures_disagree']],
  'dd_time_posix.out': [['a time of dd with 400 digits', /real \S+/, `real ${'9'.repeat(400)}`, 'nonsense_rates']],
  'ior400_json_file_i3.summary.json': [
    ['a decimal comma in JSON', '281.8192', '281,8192', 'nonsense_rates'],
    ['a figure lost from a row in JSON', / *"closeTime".*\n/, '', 'figures_disagree'],
    ['a summary beside its rows in JSON', /("bwMeanMIB": )\d+/, '$11', 'figures_disagree'],
    ['JSON behind the text of another run', /^/, rows, 'mixed_formats'],
  ],
  'md400_scaling_fls.out': [['a whole SUMMARY of several lost', /SUMMARY rate.*\n/, '', 'no_summary']],
  'md400_both_i5_v.out': [
    ['20 rows of SUMMARY lost', /(?: {3}(?:File|Directory) .*\n)+/g, '', 'missing_rows'],
    ['one row of SUMMARY lost', / {3}Directory rename .*\n/, '', 'missing_rows'],
    ['a line of one iteration lost', /.*File creation +:.*\n/, '', 'missing_rows'],
    ['a Min above its Max', '8404.450', '98404.450', 'figures_disagree'],
    ['a Max of 400 digits', '40229.273', '9'.repeat(400), 'nonsense_rates'],
    ['a decimal comma in an iteration', /(File creation +: +\d+)\./, '$1,', 'nonsense_rates'],
  ],
  'fio_seqwrite_file.json': [
    ['bytes that are not rate × time', /("bw_bytes" : )(?=[1-9])/, '$15', 'figures_disagree'],
    ['requests that are not rate × time', /("total_ios" : )(?=[1-9])/, '$15', 'figures_disagree'],
    ['a p99 above the p99.9', /("99.000000" : )(?=[1-9])/, '$1555', 'figures_disagree'],
    ['a negative mean latency', /("lat_ns" : \{[^}]*?"mean" : )(?=[1-9])/, '$1-', 'nonsense_rates'],
  ],
  'dd_loops_xfs.out': [
    ['a rate that is not bytes ÷ time', '77.5 MB/s', '97.5 MB/s', 'figures_disagree'],
    ['a negative time of dd', ' 1.35374 s', ' -1.35374 s', 'nonsense_rates'],
  ],
  'rung_raw_read.out': [
    ['a time of 400 digits in JSON', /("seconds": )[\d.]+/, `$1${'9'.repeat(400)}`, 'nonsense_rates'],
  ],
};

describe.each(Object.entries(DAMAGES))('in %s', (source, damages) => {
  const text = textOf(source);
  const command = commandOf(source);

  test('nothing is wrong', () =>
    expect(parseText(source, text, command)).toMatchObject({ complete: true, valid: true }));

  test.each(damages)('%s is found', (_, from, to, code) => {
    const damaged = text.replace(from, to);
    expect(damaged).not.toBe(text);
    const document = parseText(source, damaged, command);
    expect(document.problems).toContain(code);
    expect(document.complete && document.valid).toBe(false);
  });
});

test.each([
  ['IOR', rows, /\nTestID/],
  ['IOR', rows, /\nwrite /],
  ['mdtest', sums, /\nSUMMARY/],
])('the tail of a log of %s before another log crashes nothing and is not taken for a run', (_, text, from) => {
  const whole = parseText('x.out', rows);
  const document = parseText('x.out', text.slice(text.search(from)) + rows, NO_COMMAND);
  expect(document.samples.slice(-whole.samples.length).map(({ value }) => value)).toEqual(
    whole.samples.map(({ value }) => value),
  );
  expect(document).toMatchObject(text === rows ? { complete: false, valid: false } : { tool: 'ior' });
});

test('two whole logs in one file are both read', () => {
  const [one, other] = [parseText('x.out', rows), parseText('x.out', sums)];
  const document = parseText('x.out', rows + sums + rows);
  expect(document).toMatchObject({ complete: true, valid: true });
  expect(document.samples).toHaveLength(2 * one.samples.length + other.samples.length);
});

test('a result line of a program that lost a figure to NUL bytes is incomplete', () => {
  const text = textOf('command_no_bytes.out').replace(/"exit_status":/, '\0'.repeat(16));
  expect(parseText('command_no_bytes.out', text, NO_COMMAND).complete).toBe(false);
});
