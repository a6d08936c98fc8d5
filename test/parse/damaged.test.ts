import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_COMMAND, parseCommandFile, parseText } from '../../lib/parse';
import { FIXTURES } from './corpus';

const textOf = (name: string) => readFileSync(join(FIXTURES, name), 'utf8');
const commandOf = (name: string) => parseCommandFile(textOf(name.replace(/\..*$/, '.cmd')));

const rows = textOf('ior330_wr_fpp_8r_i5.out');
const sums = textOf('md400_both_i5_v.out');

type Damage = readonly [what: string, source: string, damage: (text: string) => string, code: string];
const swap = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);

/** Found by mutation: each stands in a real output, and passed as complete and valid. */
const DAMAGES: readonly Damage[] = [
  ['a row above the Max of its summary', 'ior330_wr_fpp_8r_i5.out', swap('263.92 ', '2639.2 '), 'figures_disagree'],
  ['a rate over no time', 'ior330_wr_fpp_8r_i5.out', swap('263.92 ', 'inf    '), 'nonsense_rates'],
  ['a row below the Min of its summary', 'ior330_wr_fpp_8r_i5.out', swap('207.35 ', '20.735 '), 'figures_disagree'],
  [
    'a row between Min and Max, beside the Mean',
    'ior330_wr_fpp_8r_i5.out',
    swap('242.28 ', '212.28 '),
    'figures_disagree',
  ],
  [
    'a Max above every row',
    'ior330_wr_fpp_8r_i5.out',
    swap('write         263.92', 'write         963.92'),
    'figures_disagree',
  ],
  [
    'bytes that are not bandwidth × time',
    'ior330_np1.out',
    swap(/aggregate filesize +: \S+ MiB/, 'aggregate filesize  : 9 MiB'),
    'figures_disagree',
  ],
  [
    'a part longer than the whole',
    'ior330_wr_fpp_8r_i5.out',
    swap(
      '0.093168    4096       1024.00    0.069034   0.484954',
      '0.093168    4096       1024.00    0.069034   4.484954',
    ),
    'figures_disagree',
  ],
  ['a negative time', 'ior330_wr_fpp_8r_i5.out', swap('0.069034', '-0.069034'), 'nonsense_rates'],
  ['a time of 400 digits', 'ior330_wr_fpp_8r_i5.out', swap('0.069034', '9'.repeat(400)), 'nonsense_rates'],
  ['a time of dd with 400 digits', 'dd_time_posix.out', swap(/real \S+/, `real ${'9'.repeat(400)}`), 'nonsense_rates'],
  ['the summary of one operation lost', 'ior330_wr_fpp_8r_i5.out', swap(/\nread +2531\.76 +1533.*/, ''), 'no_summary'],
  ['a hole of NUL bytes between rows', 'ior330_wr_fpp_8r_i5.out', swap(/remove .*\n/, '\0'.repeat(300)), 'nul_bytes'],
  ['a decimal comma in JSON', 'ior400_json_file_i3.summary.json', swap('281.8192', '281,8192'), 'nonsense_rates'],
  [
    'a figure lost from a row in JSON',
    'ior400_json_file_i3.summary.json',
    swap(/ *"closeTime".*\n/, ''),
    'figures_disagree',
  ],
  [
    'a summary beside its rows in JSON',
    'ior400_json_file_i3.summary.json',
    swap(/("bwMeanMIB": )\d+/, '$11'),
    'figures_disagree',
  ],
  ['JSON behind the text of another run', 'ior400_json_file_i3.summary.json', (text) => rows + text, 'mixed_formats'],
  ['20 rows of SUMMARY lost', 'md400_both_i5_v.out', swap(/(?: {3}(?:File|Directory) .*\n)+/g, ''), 'missing_rows'],
  ['a whole SUMMARY of several lost', 'md400_scaling_fls.out', swap(/SUMMARY rate.*\n/, ''), 'no_summary'],
  ['one row of SUMMARY lost', 'md400_both_i5_v.out', swap(/ {3}Directory rename .*\n/, ''), 'missing_rows'],
  ['a line of one iteration lost', 'md400_both_i5_v.out', swap(/.*File creation +:.*\n/, ''), 'missing_rows'],
  ['a Min above its Max', 'md400_both_i5_v.out', swap('8404.450', '98404.450'), 'figures_disagree'],
  ['a Max of 400 digits', 'md400_both_i5_v.out', swap('40229.273', '9'.repeat(400)), 'nonsense_rates'],
  [
    'a decimal comma in an iteration',
    'md400_both_i5_v.out',
    swap(/(File creation +: +\d+)\./, '$1,'),
    'nonsense_rates',
  ],
  [
    'bytes that are not rate × time',
    'fio_seqwrite_file.json',
    swap(/("bw_bytes" : )(?=[1-9])/, '$15'),
    'figures_disagree',
  ],
  [
    'requests that are not rate × time',
    'fio_seqwrite_file.json',
    swap(/("total_ios" : )(?=[1-9])/, '$15'),
    'figures_disagree',
  ],
  ['a p99 above the p99.9', 'fio_seqwrite_file.json', swap(/("99.000000" : )(?=[1-9])/, '$1555'), 'figures_disagree'],
  [
    'a negative mean latency',
    'fio_seqwrite_file.json',
    swap(/("lat_ns" : \{[^}]*?"mean" : )(?=[1-9])/, '$1-'),
    'nonsense_rates',
  ],
  ['a rate that is not bytes ÷ time', 'dd_loops_xfs.out', swap('77.5 MB/s', '97.5 MB/s'), 'figures_disagree'],
  ['a negative time of dd', 'dd_loops_xfs.out', swap(' 1.35374 s', ' -1.35374 s'), 'nonsense_rates'],
  [
    'a time of 400 digits in JSON',
    'rung_raw_read.out',
    swap(/("seconds": )[\d.]+/, `$1${'9'.repeat(400)}`),
    'nonsense_rates',
  ],
];

test.each(DAMAGES)('%s (%s) is found', (_, source, damage, code) => {
  const text = textOf(source);
  const command = commandOf(source);
  expect(parseText(source, text, command)).toMatchObject({ complete: true, valid: true });
  const damaged = damage(text);
  expect(damaged).not.toBe(text);
  const document = parseText(source, damaged, command);
  expect(document.problems).toContain(code);
  expect(document.complete && document.valid).toBe(false);
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
