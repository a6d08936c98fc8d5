import { join } from 'node:path';
import { renderDocuments } from '../../lib/cli/parse';
import { parseFile } from '../../lib/parse';
import { meaningOf } from '../../lib/parse/codes';
import type { ParsedSample, ParsedSummary } from '../../lib/schema/parse';
import { FIXTURES } from './corpus';

test('a run is a verdict and a table', () => {
  expect(renderDocuments([parseFile(join(FIXTURES, 'ior330_wr_fpp_4r.out'))])).toMatchSnapshot();
});

test('of small random requests the latencies are shown, with three digits, and the group of single processes', () => {
  const text = renderDocuments([parseFile(join(FIXTURES, '../reports/fio37_two_groups.out'))]);
  const rows = text.split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(rows.map((row) => row.join(' '))).toEqual(
    expect.arrayContaining([
      'randread r completion_latency_p50 2 0.0000640 0.0000655 0.0000670 0.00000150 s',
      'randread group 1 throughput 1 106.00 106.00 106.00 0.000 MB/s',
    ]),
  );
  expect(text).toContain('caution   single_processes: fio ran without group_reporting');
});

test('a rate of dd says that it is computed from the figures beside it', () => {
  const text = renderDocuments([parseFile(join(FIXTURES, '../reports/dd_de.out'))]);
  expect(text).toContain('  note      throughput is bytes ÷ seconds; dd rounds it to 811 MB/s\n');
});

test('a failed run says what failed, and that there is no figure', () => {
  expect(renderDocuments([parseFile(join(FIXTURES, 'ior330_enospc.out'))])).toMatchSnapshot();
});

test('tests are told apart where there are several, and files by an empty line', () => {
  const names = ['dd_loops_xfs.out', 'fio_killed.out'];
  const text = renderDocuments(names.map((name) => parseFile(join(FIXTURES, name))));
  expect(text).toContain('create large');
  expect(text).toContain('\n\nfio_killed.out: fio, incomplete, not valid\n');
});

test('a document that is incomplete for no fault of its own says why', () => {
  expect(renderDocuments([parseFile(join(FIXTURES, 'fio_seqwrite_normal.out'))])).toContain('use --output-format=json');
});

test('of ranks and iterations the table has the iterations where the output has them, and else says so', () => {
  const document = parseFile(join(FIXTURES, 'md330_np1.out'));
  const figures = { max: 20_000.4, mean: 150.126, min: 1.5, stddev: null, count: 4 };
  const [line] = document.summary;
  const overRanks = { ...(line as ParsedSummary), ...figures, basis: 'ranks x iterations' } as const;
  const rows = (one: ParsedSummary, samples: readonly ParsedSample[]) =>
    renderDocuments([{ ...document, samples, summary: [one] }]);
  const alone = rows(overRanks, []);
  expect(alone).toContain('n is ranks × iterations');
  expect(alone).toMatch(/ 4 +1\.500 +150\.13 +20000 +- {2}\S+\n$/);
  const { operation, test: of, metric, unit } = overRanks;
  const sample = { ...(document.samples[0] as ParsedSample), test: of ?? 0, operation, metric, unit };
  const others = [{ operation: 'other' }, { metric: 'other' }, { test: 'other' }];
  const samples = [...others.map((other) => ({ ...sample, ...other, value: 1 })), { ...sample, value: 99.5 }];
  const both = rows({ ...overRanks, test: sample.test }, samples);
  expect(both).not.toContain('n is ranks × iterations');
  expect(both).toMatch(/ 1 +99\.500 +99\.500 +99\.500 /);
  expect(rows({ ...overRanks, metric: 'bytes', unit: 'B', mean: 1.6 }, [])).toMatch(/ 2 +2 +20000 +-/);
  expect(rows({ ...overRanks, metric: 'latency' }, [])).toMatch(/ {2}no figures\n$/);
});

test('a code that nobody gives has no meaning, and one with a number that of the code without', () => {
  for (const code of ['full_moon', 'old_job_error_28', 'exit_status_3_of_4']) expect(meaningOf(code)).toBeUndefined();
  expect(meaningOf('job_error_28')).toMatch(/: ENOSPC$/);
  expect(meaningOf('job_error_122')).toMatch(/: EDQUOT$/);
  expect(meaningOf('exit_status_-9')).toBe('the command failed');
});

test('an output without an end marker is not called incomplete, and one that was cut is', () => {
  const whole = parseFile(join(FIXTURES, 'dd_loops_verbose_xfs.out'));
  const unmarked = { ...whole, complete: false, incompleteReason: 'dd and time print no end marker' };
  expect(renderDocuments([unmarked])).toContain('dd, end unknown, valid');
  expect(renderDocuments([{ ...unmarked, samples: [] }])).toContain('dd, incomplete, valid');
});
