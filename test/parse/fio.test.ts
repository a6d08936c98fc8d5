import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFile, parseText } from '../../lib/parse';
import type { ParseDocument } from '../../lib/schema/parse';
import { operationOf, workloadNamed } from '../../lib/workload/lookup';
import { workload } from '../support/records';
import { casesOf, describeCases, type Expected, FIXTURES } from './corpus';

const cases = casesOf('fio-json', 'fio-text');
const METADATA: Readonly<Record<string, string>> = {
  filecreate: 'file_create',
  filestat: 'file_stat',
  filedelete: 'file_remove',
};

describeCases(cases, ({ document, expected }) => {
  test('gives every figure of every job, and of no other direction', () => {
    const want = (expected.jobs as Expected[]).flatMap((job) =>
      ['read', 'write'].flatMap((direction) => {
        const data = job[direction];
        if (data === undefined) return [];
        const figures = [
          ...[`throughput MB/s ${data.bw_bytes / 1e6}`, `operations op/s ${data.iops}`],
          ...[`bytes B ${data.io_bytes}`, `ios 1 ${data.total_ios}`, `runtime s ${data.runtime / 1000}`],
          ...[`latency s ${data.lat_ns_mean / 1e9}`, `completion_latency s ${data.clat_ns_mean / 1e9}`],
        ];
        return figures.map((figure) => `${job.jobname} ${direction} ${figure}`);
      }),
    );
    if (expected.format === 'fio-json') {
      const got = document.samples
        .filter(({ metric }) => !metric.includes('_p'))
        .map(({ test, operation, metric, unit, value }) => {
          const metadata = Object.values(METADATA).includes(operation);
          return `${test} ${metadata ? 'read' : operation.replace('rand', '')} ${metric} ${unit} ${value}`;
        });
      expect(got).toEqual(want);
    }
  });

  test('knows the version', () => {
    if (expected.version !== undefined) expect(document.version).toBe(expected.version);
  });
});

const named = (id: string) => {
  const found = cases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no case '${id}'`);
  return parseFile(found.path);
};

test('names a direction as fio names the pattern', () => {
  const operations = (id: string) => [...new Set(named(id).samples.map(({ operation }) => operation))];
  expect(operations('fio_randread')).toEqual(['randread']);
  expect(operations('fio_mixed')).toEqual(['randread', 'randwrite']);
  expect(operations('fio_seqwrite_c0')).toEqual(['write']);
});

test.each(Object.entries(METADATA))('calls %s by what it does, and cautions against its bytes', (engine, operation) => {
  const document = named(`fio_${engine}`);
  expect(new Set(document.samples.map((sample) => sample.operation))).toEqual(new Set([operation]));
  expect(document.cautions).toContain('fictitious_bytes');
});

test('reads the default text as far as it goes, and does not call it complete', () => {
  const { complete, incompleteReason, samples } = named('fio_seqwrite_normal');
  const reason = "fio's text and terse formats have no end marker: use --output-format=json";
  expect([complete, incompleteReason]).toEqual([false, reason]);
  expect(new Set(samples.map(({ operation, test }) => `${operation} ${test}`))).toEqual(new Set(['write seqwrite']));
  expect(samples.map(({ metric, value, unit }) => `${metric} ${value} ${unit}`)).toEqual([
    ...['throughput 438 MB/s', 'operations 417 op/s', 'runtime 0.23 s'],
    ...['completion_latency 0.01689572 s', 'latency 0.0169666 s', 'completion_latency_p50 0.016909 s'],
    ...['completion_latency_p99 0.047449 s', 'completion_latency_p99.9 0.047449 s'],
  ]);
});

test('reads terse version 3 as far as it goes, and does not call it complete', () => {
  const { complete, samples } = named('fio_seqwrite_terse');
  expect(complete).toBe(false);
  expect(samples.map(({ metric, value }) => `${metric} ${value}`)).toEqual([
    ...['throughput 898.779136', 'operations 857', 'bytes 100663296', 'runtime 0.112', 'latency 0.01282056976'],
    ...['completion_latency 0.012663982875', 'completion_latency_p50 0.011599'],
    ...['completion_latency_p99 0.031064', 'completion_latency_p99.9 0.031064'],
  ]);
});

describe('the default text', () => {
  const read = (...lines: string[]) => parseText('x.out', ['fio-3.33', ...lines, ''].join('\n'), undefined, '', 'fio');
  const JOB = 'a: (groupid=0, jobs=1): err= 0: pid=1: Sun Nov 22 00:00:00 2026';
  const values = (rates: string) => read(JOB, `  read: ${rates}(230MiB/12345msec)`).samples.map(({ value }) => value);

  test.each([
    ['IOPS=417, BW=417MiB/s (438MB/s)', [438, 417, 12.345]],
    ['IOPS=1.5k, BW=1MiB/s (1500kB/s)', [1.5, 1500, 12.345]],
    ['IOPS=2M, BW=2GiB/s (2.5GB/s)', [2500, 2e6, 12.345]],
    ['IOPS=7, BW=7B/s (700000B/s)', [0.7, 7, 12.345]],
  ])('%s is MB/s, requests a second and seconds', (rates, expected) => {
    expect(values(rates)).toEqual(expected);
  });

  test.each([
    ['randrw', 'randread'],
    ['rw', 'read'],
  ])('of rw=%s has the operation %s', (pattern, operation) => {
    const { samples, version, tests, cautions } = read(
      `a: (g=10): rw=${pattern}, bs=(R) 4096B-4096B`,
      JOB,
      '  read: IOPS=417, BW=417MiB/s (438MB/s)(230MiB/12345msec)',
    );
    expect([...new Set(samples.map((one) => [one.operation, one.test].join(' ')))]).toEqual([`${operation} a`]);
    expect({ version, tests, cautions }).toEqual({ version: 'fio-3.33', tests: [], cautions: [] });
  });

  test('names each job’s direction by its own pattern', () => {
    const { samples } = read(
      'a: (g=0): rw=write, bs=(R) 64.0KiB-64.0KiB',
      'b: (g=1): rw=randread, bs=(R) 64.0KiB-64.0KiB',
      JOB,
      '  write: IOPS=42.7k, BW=2667MiB/s (2796MB/s)(16.0MiB/6msec); 0 zone resets',
      JOB.replace('a:', 'b:'),
      '  read: IOPS=7757, BW=485MiB/s (508MB/s)(16.0MiB/33msec)',
    );
    expect([...new Set(samples.map((one) => `${one.operation} ${one.test}`))]).toEqual(['write a', 'randread b']);
  });

  test.each([
    ['--kb_base=1000', '  write: IOPS=64.0k, BW=4194MB/s (4000MiB/s)(8389kB/2msec); 0 zone resets', 4194],
    ['--unit_base=1', '  write: IOPS=11.6k, BW=5818Mibit/s (6101Mbit/s)(8192KiB/11msec)', 762.625],
  ])('of %s has its rate in MB/s', (_, line, expected) => {
    const { samples, problems } = read(JOB, line);
    expect(samples.find(({ metric }) => metric === 'throughput')?.value).toBe(expected);
    expect(problems).toEqual([]);
  });

  test('has no figure of a line above the first job', () => {
    const { samples, problems } = read('  read: IOPS=417, BW=417MiB/s (438MB/s)(230MiB/1msec)', JOB);
    expect({ samples, problems }).toEqual({ samples: [], problems: ['no_result_rows'] });
  });
});

describe('terse version 3', () => {
  const whole = readFileSync(join(FIXTURES, 'fio_seqwrite_terse.out'), 'utf8').match(/^3;fio-.*/m)?.[0] ?? '';
  const read = (line: string) => parseText('x.out', `${line}\n`);

  test('names its job and its release', () => {
    const { samples, version } = read(whole);
    const jobs = new Set(samples.map(({ operation, test: job }) => `${operation} ${job}`));
    expect([...jobs]).toEqual([`write ${whole.split(';')[2]}`]);
    expect(version).toBe('fio-3.33');
  });

  test('that is cut, or has words for figures, gives none', () => {
    expect(read(whole.split(';').slice(0, 86).join(';')).samples).toEqual([]);
    expect(read(whole.split(';').with(47, 'fast').join(';')).samples).toEqual([]);
  });
});

const moving = (bytes: number) => ({ io_bytes: bytes, bw_bytes: bytes, iops: 1, runtime: 1000, total_ios: 1 });
const job = (jobname: string, directions: object) => ({ jobname, error: 0, ...directions });
const output = (jobs: readonly object[], more: object = {}) => ({ 'fio version': 'fio-3.33', ...more, jobs });

test('reads the sum of all clients and each of them', () => {
  const client = (jobname: string, bytes: number) => ({ ...job(jobname, { write: moving(bytes) }), hostname: 'a' });
  const client_stats = [client('w', 5e6), client('All clients', 1e7)];
  const { complete, samples } = parseText('x.out', JSON.stringify({ 'fio version': 'fio-3.33', client_stats }));
  expect(complete).toBe(true);
  const rates = samples.filter(({ metric }) => metric === 'throughput');
  expect(rates.map(({ test, value }) => `${test}: ${value}`)).toEqual(['w: 5', 'All clients: 10']);
});

describe('JSON of other options and releases', () => {
  const read = (directions: object, version = 'fio-3.33') =>
    parseText('x.out', JSON.stringify(output([job('a', directions)], { 'fio version': version })));
  const figures = (document: ParseDocument) =>
    document.samples.map(({ operation, metric, value }) => `${operation} ${metric} ${value}`);
  const moved = { io_bytes: 8388608, bw_bytes: 254200242, iops: 3878.787879, runtime: 33, total_ios: 128 };

  test('reads both directions as one where fio does not tell them apart (unified_rw_reporting)', () => {
    const document = read({ 'job options': { rw: 'randrw' }, mixed: moved });
    expect(document).toMatchObject({ complete: true, valid: true });
    expect(figures(document)).toContain('randrw bytes 8388608');
  });

  test('does not count data twice that fio prints apart and together', () => {
    const none = { io_bytes: 0, bw_bytes: 0, total_ios: 0 };
    const both = read({ 'job options': { rw: 'rw' }, read: moved, write: none, trim: none, mixed: moved });
    expect([...new Set(both.samples.map(({ operation }) => operation))]).toEqual(['read']);
  });

  test('has no latency that fio did not take (gtod_reduce)', () => {
    const zero = { min: 0, max: 0, mean: 0, stddev: 0, N: 0 };
    const document = read({ read: { ...moved, slat_ns: zero, clat_ns: zero, lat_ns: zero } });
    expect(document.samples.filter(({ metric }) => metric.includes('latency'))).toEqual([]);
    expect(document.valid).toBe(true);
  });

  test('of jobs that moved nothing is no result', () => {
    const nothing = read({ read: { io_bytes: 0, bw_bytes: 0, total_ios: 0 } });
    expect(nothing).toMatchObject({ complete: false, valid: false, problems: ['no_result_rows'] });
  });

  test.each([
    ['fio-2.2.10', { io_bytes: 8192, bw: 248242 }, 8388608],
    ['fio-2.20', { io_bytes: 8192, bw: 248242 }, 8388608],
    ['fio-2.21', { io_bytes: 8388608, io_kbytes: 8192, bw: 248242 }, 8388608],
    ['fio-3.1', { io_bytes: 8388608, io_kbytes: 8192, bw: 248242 }, 8388608],
  ])('of %s is in its own units', (version, amounts, bytes) => {
    const document = read({ read: { ...amounts, iops: 3878.787879, runtime: 33, total_ios: 128 } }, version);
    const own = [`read bytes ${bytes}`, `read throughput ${(248242 * 1024) / 1e6}`];
    expect(figures(document)).toEqual(expect.arrayContaining(own));
    expect(document.problems).toEqual([]);
  });
});

test('reads several runs in one output', () => {
  const run = (name: string) => JSON.stringify(output([job(name, { read: moving(1) })]));
  const { complete, tests } = parseText('x.out', `one:\n${run('a{')}\ntwo:\n${run('b')}\n`);
  expect(complete).toBe(true);
  expect(tests.map(({ test }) => test)).toEqual(['a{', 'b']);
});

test('processes that write and read are summed up for each direction', () => {
  const side = (bytes: number) => ({ io_bytes: bytes, bw_bytes: bytes / 2, runtime: 2000, total_ios: 1 });
  const jobs = [1, 2].map((id) => job('a', { write: side(id * 1e6), read: side(id * 1e8) }));
  const { summary } = parseText('x.out', JSON.stringify(output(jobs, { timestamp_ms: 1 })));
  const rates = summary.flatMap(({ operation, metric, mean, basis }) =>
    basis === 'sum of processes' && metric === 'throughput' ? [`${operation} ${mean}`] : [],
  );
  expect(rates.sort()).toEqual(['read 150', 'write 1.5']);
});

describe('several documents of one job', () => {
  const done = job('done', { read: { io_bytes: 1, runtime: 500, total_ios: 1 } });
  const at = (milliseconds: number, runtime: number, bytes: number) => {
    const running = job('a', { write: { io_bytes: bytes, runtime, total_ios: 1 } });
    return JSON.stringify(output([done, running], { timestamp_ms: 1_780_000_000_000 + milliseconds }));
  };
  const bytes = (...documents: string[]) =>
    parseText('x.out', `${documents.join('\n')}\n`).summary.find(
      ({ test: job, metric }) => job === 'a' && metric === 'bytes',
    );

  test('are one run where fio prints its state every second (--status-interval)', () => {
    expect(bytes(at(0, 846, 100), at(1000, 1846, 200), at(1160, 2003, 220))).toMatchObject({ count: 1, mean: 220 });
  });

  // Outputs of clients that ran at the same time, in one file.
  test.each([
    ['more', 5, 10_003, 1_040_000],
    ['less', 5, 10_003, 980_000],
    ['more, and printed first', -5, 9_998, 1_040_000],
  ])('are runs of their own where another client has moved %s', (_, later, runtime, moved) => {
    expect(bytes(at(0, 10_000, 1_000_000), at(later, runtime, moved))).toMatchObject({ count: 2 });
  });

  test('are runs of their own where one begins after the other', () => {
    expect(bytes(at(0, 846, 100), at(1000, 846, 200), at(63_000, 60_000, 300))).toMatchObject({ count: 3, mean: 200 });
  });
});

test('JSON that was cut keeps the jobs that were whole, and is not complete', () => {
  const jobs = ['a', 'b', 'c'].map((name) => job(name, { read: moving(5e6) }));
  const text = JSON.stringify(output(jobs), null, 1);
  const cut = parseText('x.out', text.slice(0, text.lastIndexOf('io_bytes')));
  expect(cut).toMatchObject({ complete: false, valid: false, version: 'fio-3.33', problems: ['truncated'] });
  expect(cut.tests.map(({ test }) => test)).toEqual(['a', 'b']);
  expect(parseText('x.out', text.slice(0, text.indexOf('io_bytes'))).samples).toEqual([]);
});

test('a job that failed and a signal make the text and the terse output invalid', () => {
  const problemsOf = (name: string, from: string | RegExp, to: string) => {
    const text = readFileSync(join(FIXTURES, `${name}.out`), 'utf8');
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    const { valid, problems } = parseText('x.out', changed);
    return [valid, ...problems];
  };
  const failed = [false, 'job_error_28'];
  expect(problemsOf('fio_seqwrite_normal', 'err= 0', 'err=28')).toEqual(failed);
  expect(problemsOf('fio_seqwrite_terse', /^(3;fio-[^;]+;[^;]+;\d+;)0;/m, '$128;')).toEqual(failed);
  const signalled = problemsOf('fio_seqwrite_normal', /$/, 'fio: terminating on signal 2\n');
  expect(signalled).toEqual([false, 'interrupted']);
});

test('a bare nan is no figure and hides no other', () => {
  const text =
    '{"fio version" : "fio-3.33", "jobs" : [{"jobname" : "n", "error" : 0, "write" : {"io_bytes" : 4096, "bw_bytes" : 4096, "iops" : -nan, "total_ios" : 1}}]}\n';
  const { valid, samples } = parseText('x.out', text);
  expect(valid).toBe(true);
  const none = { value: null, reason: 'printed as -nan' };
  expect(samples.find(({ metric }) => metric === 'operations')).toMatchObject(none);
  expect(samples.find(({ metric }) => metric === 'bytes')?.value).toBe(4096);
});

describe('percentiles of the completion latency', () => {
  const METRICS = ['completion_latency_p50', 'completion_latency_p99', 'completion_latency_p99.9'];
  const recorded = (times: number) =>
    [0.000105984, 0.005931008, 0.01081344].map((seconds, at) => [METRICS[at], times * seconds, 's']);
  const fio = workloadNamed('fio');
  const action = workload('fio', { operation: 'read' });
  /** A document of a client whose latencies are a multiple of the recorded ones. */
  const client = (times: number, left = METRICS): ParseDocument => {
    const document = named('fio_randread');
    const samples = document.samples.flatMap((sample) => {
      const { metric, value } = sample;
      if (!metric.startsWith('completion_latency_')) return [{ ...sample, operation: 'read' }];
      return left.includes(metric) ? [{ ...sample, operation: 'read', value: times * (value ?? Number.NaN) }] : [];
    });
    return { ...document, samples };
  };
  const found = (...documents: ParseDocument[]) =>
    fio
      .values(action, operationOf(action), documents)
      .filter(({ metric }) => METRICS.includes(metric))
      .map(({ metric, value, unit }) => [metric, value, unit]);

  test('are those that fio printed, in seconds', () => {
    const printed = named('fio_randread').samples.filter(({ metric }) => metric.includes('_p'));
    expect(printed.map(({ metric, value, unit }) => [metric, value, unit])).toEqual(recorded(1));
  });

  test('of several clients are the worst one’s, and of none that one client did not tell', () => {
    expect(found(client(1), client(2), client(0.5))).toEqual(recorded(2));
    expect(found(client(1), client(1, METRICS.slice(1))).map(([metric]) => metric)).toEqual(METRICS.slice(1));
    expect(found(client(1), client(Number.NaN))).toEqual([]);
  });
});
