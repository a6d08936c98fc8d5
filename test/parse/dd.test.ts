import { parseFile, parseText } from '../../lib/parse';
import { type Case, casesOf, describeCases, type Expected } from './corpus';

const cases = casesOf('shell-time');
const SCALE: Readonly<Record<string, number>> = { 'kB/s': 1e-3, 'MB/s': 1, 'GB/s': 1e3 };

describeCases(cases, ({ document, expected }) => {
  const values = (operations: string[], metric: string) =>
    document.samples
      .filter((one) => operations.includes(one.operation) && one.metric === metric)
      .map(({ value }) => value);

  test('gives every copy with its bytes, seconds and rate', () => {
    const copies = ['read', 'write', 'copy'];
    expect(values(copies, 'bytes')).toEqual(expected.dd.map(({ bytes }: Expected) => bytes));
    expect(values(copies, 'seconds')).toEqual(expected.dd.map(({ seconds }: Expected) => seconds));
    for (const [index, { rate_text }] of (expected.dd as Expected[]).entries()) {
      const [rate, unit] = rate_text.split(' ');
      // dd rounds its rate to two or three digits: the value follows from the bytes and seconds next to it.
      const [bytes, seconds] = ['bytes', 'seconds'].map((metric) => values(copies, metric)[index] as number);
      const value = values(copies, 'throughput')[index] as number;
      expect(value).toBeCloseTo((bytes as number) / (seconds as number) / 1e6, 9);
      expect(Math.abs(value - Number(rate) * (SCALE[unit] as number))).toBeLessThan(value * 0.05);
    }
  });

  test('gives every time block under its label', () => {
    const blocks = expected.time_blocks as Expected[];
    expect(values(['real'], 'seconds')).toEqual(blocks.map(({ real_s }) => real_s));
    expect(values(['user'], 'seconds')).toEqual(blocks.map(({ user_s }) => user_s));
    expect(values(['sys'], 'seconds')).toEqual(blocks.map(({ sys_s }) => sys_s));
    expect(document.samples.filter(({ operation }) => operation === 'real').map(({ test }) => test)).toEqual(
      blocks.map(({ label }, index) => label ?? index),
    );
  });
});

test('tells reads from writes by the command', () => {
  const found = cases.find(({ id }) => id === 'dd_gnutime_v') as Case;
  const operations = parseFile(found.path).samples.filter(({ metric }) => metric === 'bytes');
  expect(operations.map(({ operation }) => operation)).toEqual(['write', 'read']);
});

test('counts a copy once when dd showed its progress', () => {
  const text = [
    '33554432 bytes (34 MB, 32 MiB) copied, 1 s, 33.5 MB/s\r67108864 bytes (67 MB, 64 MiB) copied, 2 s, 33.5 MB/s',
    '96+0 records in\n96+0 records out',
    '100663296 bytes (101 MB, 96 MiB) copied, 3.00012 s, 33.6 MB/s\n',
  ].join('\n');
  const bytes = parseText('x.out', text).samples.filter(({ metric }) => metric === 'bytes');
  expect(bytes.map(({ value }) => value)).toEqual([100663296]);
});

test('is complete only when all that the command announced is there', () => {
  const cmd = { command: 'time dd if=/a of=/b bs=1M', exitStatus: 0, tool: 'dd' as const };
  const whole =
    '1+0 records in\n1+0 records out\n1048576 bytes (1.0 MB, 1.0 MiB) copied, 0.5 s, 2.1 MB/s\n\nreal\t0m0.510s\nuser\t0m0.000s\nsys\t0m0.100s\n';
  expect(parseText('x.out', whole, cmd).complete).toBe(true);
  expect(parseText('x.out', whole).complete).toBe(false);
  expect(parseText('x.out', whole.slice(0, whole.indexOf('sys')), cmd).complete).toBe(false);
});

const STATUS = '1048576 bytes (1.0 MB, 1.0 MiB) copied, 0.5 s, 2.1 MB/s\n';
const COPY = `1+0 records in\n1+0 records out\n${STATUS}`;
const read = (text: string, command: string | null = null) =>
  parseText('x.out', text, { command, exitStatus: 0, tool: 'dd' });
const times = (text: string) =>
  read(text)
    .samples.filter(({ metric, operation }) => metric === 'seconds' && /^(?:real|user|sys)$/.test(operation))
    .map(({ operation, value }) => `${operation} ${value}`);

test.each([
  ['minutes', 'real\t1m7.607s\nuser\t0m1.500s\nsys\t2m0.250s\n', [67.607, 1.5, 120.25]],
  ['plain seconds', 'real 67.60\nuser 1.50\nsys 0.25\n', [67.6, 1.5, 0.25]],
  ['one line', 'real 67.60 user 1.50 sys 0.25\n', [67.6, 1.5, 0.25]],
  ['GNU time', '1.50user 0.25system 1:07.60elapsed 2%CPU (0avgtext+0avgdata 1maxresident)k\n', [67.6, 1.5, 0.25]],
  [
    'GNU time of hours',
    '1.50user 0.25system 2:01:07elapsed 2%CPU (0avgtext+0avgdata 1maxresident)k\n',
    [7267, 1.5, 0.25],
  ],
])('a time in %s is seconds', (_, text, [real, user, sys]) => {
  expect(times(COPY + text)).toEqual([`real ${real}`, `user ${user}`, `sys ${sys}`]);
});

test.each([
  ['lacks its user part', 'real\t0m1.000s\nsys\t0m0.100s\n'],
  ['has minutes without the s', 'real\t0m1.000\nuser\t0m0.000\nsys\t0m0.100\n'],
])('a time that %s is none', (_, text) => {
  expect(times(COPY + text)).toEqual([]);
});

test('a rate without end has no value, and says how it was printed', () => {
  const { samples } = read(COPY.replace('0.5 s, 2.1 MB/s', '0 s, Infinity B/s'));
  const endless = { value: null, reason: 'printed as Infinity' };
  expect(samples.find(({ metric }) => metric === 'throughput')).toMatchObject(endless);
  const rounded = { value: 2.097152, reason: 'bytes ÷ seconds; dd rounds it to 2.1 MB/s' };
  expect(read(COPY).samples.find(({ metric }) => metric === 'throughput')).toMatchObject(rounded);
});

test.each([
  ['2.1 MB/s', []],
  ['2.0 MB/s', []],
  ['2.4 MB/s', ['figures_disagree']],
  ['21 MB/s', ['figures_disagree']],
  ['2 GB/s', ['figures_disagree']],
])('1 MiB in half a second at %s: %j', (rate, problems) => {
  expect(read(COPY.replace('2.1 MB/s', rate)).problems).toEqual(problems);
});

// 1 MiB in 10 s are 105 kB/s; in 9.5 to 10.5 s, which whole seconds may stand for, 99.9 to 110.4.
test.each([
  ['10 s, 105 kB/s', 0.1048576, []],
  ['10 s, 99 kB/s', 0.099, []],
  ['10 s, 110 kB/s', 0.11, []],
  ['10 s, 98 kB/s', 0.098, ['figures_disagree']],
  ['10 s, 112 kB/s', 0.112, ['figures_disagree']],
  ['10 s, 1.0 MB/s', 1, ['figures_disagree']],
  ['10.0 s, 110 kB/s', 0.11, ['figures_disagree']],
])('whole seconds are rounded ones: 1 MiB in %s is %j MB/s', (said, value, disagree) => {
  const { samples, problems } = read(COPY.replace('0.5 s, 2.1 MB/s', said));
  expect(samples.find(({ metric }) => metric === 'throughput')?.value).toBeCloseTo(value, 12);
  expect(problems).toEqual(disagree);
});

test.each([
  ['test of reads', 'read'],
  ['write 1M', 'write'],
  ['create files', 'write'],
  ['warm-up', 'copy'],
])('under the label %s a copy is a %s', (label, operation) => {
  const { samples } = read(`=== ${label} ===\n${COPY}`);
  expect(new Set(samples.map((one) => `${one.test}: ${one.operation}`))).toEqual(new Set([`${label}: ${operation}`]));
});

test('is complete without the copies whose status was sent away, and not without others', () => {
  const time = 'real 1.0 user 0.0 sys 0.1\n';
  const complete = (command: string, text: string) => read(text, command).complete;
  expect(complete('time dd if=/a of=/b status=none', time)).toBe(true);
  expect(complete('time dd if=/a of=/b 2>/dev/null', time)).toBe(true);
  expect(complete('time dd if=/a of=/b', time)).toBe(false);
  expect(complete('time dd if=/a of=/b; time dd if=/c of=/d status=noxfer', COPY + time + time)).toBe(true);
  expect(complete('ls /a', COPY)).toBe(false);
  expect(complete('time dd if=/a of=/b', `${COPY}${time}real`)).toBe(false);
});

test('times alone are no failed copy, and no output at all has no result', () => {
  expect(read('real 1.0 user 0.0 sys 0.1\n').problems).toEqual([]);
  expect(read('1+0 records in\n1+0 records out\n')).toMatchObject({ samples: [], problems: ['no_result_rows'] });
});

test('an fsync that /dev/null refuses is a caution; another refusal beside it stays a failure', () => {
  const refused = "dd: fsync failed for '/dev/null': Invalid argument\n";
  expect(read(COPY + refused)).toMatchObject({ problems: [], cautions: ['fdatasync_on_dev_null'] });
  const other = "dd: error writing '/fsx/f': Invalid argument\n";
  expect(read(COPY + refused + other).problems).toContain('invalid_argument');
  expect(read(COPY + other)).toMatchObject({ valid: false, cautions: [] });
});

test('reads figures with the decimal comma of a locale', () => {
  const copy = '100+0 records in\n100+0 records out\n104857600 bytes (105 MB, 100 MiB) copied, 0,0512 s, 2,0 GB/s\n';
  const { samples, problems } = parseText('x.out', `${copy}\nreal\t1m0,055s\nuser\t0m0,001s\nsys\t0m0,050s\n`);
  expect(samples.map(({ operation, metric, value }) => `${operation} ${metric} ${value}`)).toEqual([
    ...['copy throughput 2048', 'copy bytes 104857600', 'copy seconds 0.0512'],
    ...['real seconds 60.055', 'user seconds 0.001', 'sys seconds 0.05'],
  ]);
  expect(problems).toEqual([]);
  expect(parseText('x.out', 'real\t0m1,5s\nuser\t0m0,1s\nsys\t0m0,2s\n').samples).toHaveLength(3);
});
