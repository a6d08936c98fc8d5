import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFile, parseText } from '../../lib/parse';
import type { ParseDocument } from '../../lib/schema/parse';
import { operationOf, workloadNamed } from '../../lib/workload/lookup';
import { casesOf, FIXTURES } from '../parse/corpus';
import { workload } from '../support/records';

/** Values of one metric in the order of their iterations. */
const valuesIn = (
  { samples }: ParseDocument,
  metric: string,
  of: (sample: ParseDocument['samples'][number]) => boolean = () => true,
) => samples.filter((sample) => sample.metric === metric && of(sample)).map(({ value }) => value);

const cases = casesOf('rung', 'iperf3', 'lst', 'fi_pingpong', 'zfs-tools', 'proc-stat');
const caseNamed = (name: string) => {
  const found = cases.find(({ id }) => id === name);
  if (found === undefined) throw new Error(`there is no fixture ${name}`);
  return { document: parseFile(found.path), figures: found.expected.figures };
};

test.each(cases)('$id has the verdict that it deserves', ({ path, expected }) => {
  const { tool, complete, valid, problems, cautions } = parseFile(path);
  expect({ tool, complete, valid, problems: [...problems].sort(), cautions }).toEqual({
    tool: expected.tool,
    ...expected.verdict,
    problems: [...expected.verdict.problems].sort(),
  });
});

describe('figures', () => {
  test.each(['iperf3_send', 'iperf3_receive'])('%s: what arrived, in MB/s', (name) => {
    const { document, figures } = caseNamed(name);
    for (const metric of Object.keys(figures)) expect(valuesIn(document, metric)[0]).toBeCloseTo(figures[metric], 9);
    expect(new Set(document.samples.map(({ operation }) => operation))).toEqual(
      new Set([name.replace('iperf3', 'network')]),
    );
  });

  test('fi_pingpong: the throughput of the largest message, half a round trip of the smallest', () => {
    const { document, figures } = caseNamed('fi_pingpong_tcp');
    expect(valuesIn(document, 'throughput').at(-1)).toBe(figures.throughput);
    expect(valuesIn(document, 'latency')[0]).toBeCloseTo(figures.latency, 12);
    expect(document.samples.map(({ test: size }) => size)).toContain(65_536);
  });

  test.each(['write', 'read'])('lst: a %s in each interval, of the clients', (way) => {
    const { document, figures } = caseNamed(`lst_brw_${way}`);
    const ofClients = valuesIn(
      document,
      'throughput',
      ({ test: group, operation }) => group === 'clients' && operation === `lnet_${way}`,
    );
    expect(ofClients).toEqual(figures.intervals);
    expect(Math.min(...document.samples.map(({ iteration }) => iteration ?? -1))).toBe(0);
    // Requests are counted, not measured in bytes.
    expect(valuesIn(document, 'operations')).toHaveLength(12);
  });

  test.each(['zfs_get_levels', 'zfs_get_all'])('%s: of each dataset, in bytes', (name) => {
    const { document, figures } = caseNamed(name);
    for (const [dataset, properties] of Object.entries<Record<string, number>>(figures))
      for (const [metric, value] of Object.entries(properties))
        expect([dataset, metric, valuesIn(document, metric, (sample) => sample.test === dataset)]).toEqual([
          dataset,
          metric,
          [value],
        ]);
  });

  test('iperf3: its version and its streams are told', () => {
    expect(caseNamed('iperf3_send').document).toMatchObject({
      version: '3.12',
      tests: [{ test: 0, version: '3.12', tasks: 4 }],
    });
  });

  test('zpool iostat: bytes a second as MB/s, an iteration an interval', () => {
    const { document, figures } = caseNamed('zpool_iostat');
    const reads = document.samples.filter(({ metric, operation }) => metric === 'operations' && operation === 'read');
    expect(reads.map(({ iteration }) => iteration)).toEqual(figures.write.map((_: number, at: number) => at));
    expect(document.tests.map(({ test: pool }) => pool)).toEqual(['tank']);
    expect(valuesIn(document, 'throughput', ({ operation }) => operation === 'write')).toEqual(figures.write);
    expect(valuesIn(document, 'free_bytes')[0]).toBe(2_101_903_360);
  });

  test('/proc/stat: seconds, guest time once, waiting for disks not busy', () => {
    const { document, figures } = caseNamed('proc_stat');
    expect(valuesIn(document, 'busy_seconds')).toEqual(figures.busy);
    expect(valuesIn(document, 'all_seconds')).toEqual(figures.all);
  });

  test.each(['rung_raw_write', 'rung_raw_read'])(
    '%s: bytes, seconds and what gzip leaves of what was written',
    (name) => {
      const { document, figures } = caseNamed(name);
      for (const metric of Object.keys(figures)) expect(valuesIn(document, metric)).toEqual([figures[metric]]);
      expect(valuesIn(document, 'gzip_share')).toHaveLength(name.endsWith('write') ? 1 : 0);
    },
  );
});

describe('bad input', () => {
  const parsed = (text: string, tool: string) =>
    parseText('x.out', text, { command: null, exitStatus: 0, tool }, '', tool);

  test.each([
    ['a size that is rounded', 'tank/a\tused\t4.21M\t-\n', 'printed as 4.21M'],
    ['a size that is not there', 'tank/a\tused\t-\t-\n', 'not printed'],
  ])('zfs: %s is null with a reason', (_, text, reason) => {
    expect(parsed(text, 'zfs-tools').samples).toEqual([expect.objectContaining({ value: null, reason })]);
  });

  test.each([
    ['zfs get', 'tank/a\tused\t42\t-\n'],
    ['zpool iostat', 'tank\t1\t2\t3\t4\t5\t6\n'],
  ])('%s is complete by its exit status alone, for it has no end', (_, text) => {
    const of = (exitStatus: number | null) =>
      parseText('x.out', text, { command: null, exitStatus, tool: 'zfs-tools' }).complete;
    expect([0, 1, null].map(of)).toEqual([true, false, false]);
  });

  test('zfs: of what is no figure nothing is read, and a dash of iostat is none', () => {
    const { samples, tests } = parsed(
      'tank/a\tcompression\tlz4\nNAME\ntank/a\tused\t42\ntank/b\tused\t43\n',
      'zfs-tools',
    );
    expect(samples.map(({ test: dataset, metric, value }) => [dataset, metric, value])).toEqual([
      ['tank/a', 'used', 42],
      ['tank/b', 'used', 43],
    ]);
    expect(tests.map(({ test: dataset }) => dataset)).toEqual(['tank/a', 'tank/b']);
    const iostat = parsed('pool words\ntank\t-\t2\t3\t4\t5\t6\n', 'zfs-tools').samples;
    expect(iostat).toHaveLength(6);
    expect(iostat[0]).toMatchObject({ metric: 'allocated_bytes', value: null, reason: 'not printed' });
  });

  describe('iperf3', () => {
    const run = (change: object = {}, protocol = 'TCP') => ({
      start: { connected: [{}, {}], version: 'iperf 3.12', test_start: { protocol, reverse: 0 } },
      end: { sum_sent: { retransmits: 3 }, sum_received: { bits_per_second: 8e6, bytes: 2e6, seconds: 2, ...change } },
    });
    const read = (value: object) => parsed(JSON.stringify(value, null, 1), 'iperf3');

    test('in both directions at once gives both', () => {
      const ways = { sum_received: 625e6, sum_received_bidir_reverse: 596e6 };
      const sums = Object.entries(ways).map(([way, bytes]) => [way, { bytes, bits_per_second: bytes * 8, seconds: 1 }]);
      const { samples } = read({ ...run(), end: { sum_sent: { retransmits: 2 }, ...Object.fromEntries(sums) } });
      const rates = samples.filter(({ metric }) => metric === 'throughput');
      expect(rates.map(({ operation, value }) => [operation, value])).toEqual([
        ['network_send', 625],
        ['network_receive', 596],
      ]);
    });

    test('of less than a second is too short, and of a second is not', () => {
      const cautions = (seconds: number) => read(run({ seconds })).cautions;
      expect([0.99, 1, 2].map(cautions)).toEqual([['too_short'], [], []]);
    });

    test('counts what is sent again for TCP alone', () => {
      expect(valuesIn(read(run()), 'retransmits')).toEqual([3]);
      expect(valuesIn(read(run({}, 'UDP')), 'retransmits')).toEqual([]);
    });

    test('that is cut keeps no figure, and those of the run before it', () => {
      const whole = JSON.stringify(run(), null, 1);
      const cut = whole.slice(0, whole.indexOf('sum_received'));
      expect(parsed(cut, 'iperf3')).toMatchObject({ complete: false, problems: ['truncated'], samples: [] });
      const both = parsed(`${whole}\n${cut}`, 'iperf3');
      expect(both).toMatchObject({ complete: false, valid: false, problems: ['truncated'] });
      expect(valuesIn(both, 'throughput')).toEqual([1]);
      expect(both.tests.map(({ tasks }) => tasks)).toEqual([2, 0]);
    });

    test('without what was received has no result, and no figure of zero', () => {
      expect(read({ ...run(), end: {} })).toMatchObject({
        complete: false,
        samples: [],
        problems: ['no_result_rows'],
        cautions: [],
      });
    });
  });

  test('zfs-fuse ends a ratio with an x, which is no other figure', () => {
    expect(valuesIn(parsed('tank/a\tcompressratio\t1.40x\n', 'zfs-tools'), 'compressratio')).toEqual([1.4]);
  });

  test('zpool iostat without -p has rounded figures, which are none', () => {
    expect(parsed('tank\t43.4M\t2.75G\t1\t243\t9.2K\t3.15M\n', 'zfs-tools')).toMatchObject({
      samples: [],
      complete: false,
    });
  });

  test('/proc/stat that goes backwards is of another boot', () => {
    const { problems, complete } = parsed('cpu  9 0 0 9 0 0 0 0 0 0\ncpu  5 0 0 9 0 0 0 0 0 0\n', 'proc-stat');
    expect({ problems, complete }).toEqual({ problems: ['nonsense_rates'], complete: false });
  });

  test.each([
    ['clients', 1, 0, 'session is ended\n', ['operations_failed']],
    ['servers', 0, 2, 'session is ended\n', ['operations_failed']],
    ['neither', 0, 0, 'session is ended\n', []],
    ['neither, without an end', 0, 0, '', ['no_finish_line']],
  ])('LNet self-test with nodes that failed among the %s', (_, clients, servers, end, problems) => {
    const text = `[LNet Bandwidth of clients]\n[W] Avg: 1.00   MiB/s Min: 1.00   MiB/s Max: 1.00   MiB/s \nTotal ${clients} error nodes in clients\nTotal ${servers} error nodes in servers\n${end}`;
    expect(parsed(text, 'lst')).toMatchObject({ complete: problems.length === 0, problems });
  });

  test.each([
    ['in an earlier session', '0 brw', '3 errors', []],
    ['in this session', '2 brw', '3 errors', ['operations_failed']],
  ])('LNet self-test counts errors of a node %s as its own, or not', (_, session, rpc, problems) => {
    const text = readFileSync(join(FIXTURES, 'lst_after_an_earlier_failure.out'), 'utf8');
    const changed = text.replaceAll('0 brw', session).replaceAll('1 errors', rpc);
    expect(parsed(changed, 'lst')).toMatchObject({ complete: problems.length === 0, problems });
  });

  test('fi_pingpong has ended with its largest message, or that which was asked for', () => {
    const [cut = ''] = readFileSync(join(FIXTURES, 'fi_pingpong_tcp.out'), 'utf8').split(/^1m /m);
    const ended = (command: string) => {
      const { complete, problems } = parseText('x.out', cut, { command, exitStatus: 0, tool: 'fi_pingpong' });
      return [complete, problems];
    };
    expect(ended('fi_pingpong -p tcp server')).toEqual([false, ['truncated']]);
    expect(ended('fi_pingpong -p tcp -S 65536 server')).toEqual([true, []]);
    expect(ended('fi_pingpong -p tcp -S 4096 server')).toEqual([false, ['truncated']]);
  });

  test('fio that failed on a rung is named by its errno', () => {
    const text =
      '{"schema":"fsxbench.rung/1","rung":"raidz1","operation":"write","fio":"fio-3.33","error":28,"bytes":1,"seconds":1,"latencySeconds":{},"gzipShare":null,"logicalBytes":null,"usedBytes":null}\n';
    expect(parsed(text, 'rung').problems).toEqual(['job_error_28']);
  });
});

describe('values', () => {
  const rateOf = (tool: string, operation: 'write' | 'read', name: string, metric: string) => {
    const action = workload(tool, { operation });
    const { document } = caseNamed(name);
    return workloadNamed(tool)
      .values(action, operationOf(action), [document])
      .find((one) => one.metric === metric)?.value;
  };

  test('of LNet are the mean of the intervals after the first, in MB/s', () => {
    expect(rateOf('lst', 'write', 'lst_brw_write', 'throughput')).toBeCloseTo(
      (((245.66 + 409.9) / 2) * 2 ** 20) / 1e6,
      6,
    );
    expect(rateOf('lst', 'read', 'lst_no_session', 'throughput')).toBeUndefined();
  });

  test('of the other rungs are rates of what was moved; none where a tool failed', () => {
    expect(rateOf('rung', 'write', 'rung_raw_write', 'throughput')).toBeCloseTo(33_554_432 / 0.096 / 1e6, 6);
    expect(rateOf('rung', 'read', 'rung_raw_read', 'throughput')).toBeGreaterThan(0);
    expect(rateOf('rung', 'write', 'rung_raw_read', 'throughput')).toBeUndefined();
    expect(rateOf('rung', 'write', 'rung_raw_write', 'gzip_share')).toBeCloseTo(0.71, 2);
    expect(rateOf('fi_pingpong', 'write', 'fi_pingpong_tcp', 'throughput')).toBe(5843.28);
    expect(rateOf('iperf3', 'read', 'iperf3_receive', 'throughput')).toBeGreaterThan(0);
    expect(rateOf('iperf3', 'write', 'iperf3_receive', 'throughput')).toBeUndefined();
    expect(rateOf('iperf3', 'write', 'iperf3_refused', 'throughput')).toBeUndefined();
    expect(rateOf('fi_pingpong', 'write', 'fi_pingpong_refused', 'throughput')).toBeUndefined();
  });
});
