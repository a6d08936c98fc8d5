import { parseFile, parseText } from '../../lib/parse';
import { operationOf, workloadNamed } from '../../lib/workload/lookup';
import { streamCommand } from '../../lib/workload/stream';
import { casesOf } from '../parse/corpus';
import { workload } from '../support/records';

const FIELDS = {
  bytes: 'bytes',
  stored_bytes: 'stored_bytes',
  seconds: 'wall_s',
  user_seconds: 'user_s',
  system_seconds: 'system_s',
};

const action = workload('stream', { ranksPerClient: 2 });
const line = (change: object = {}): string =>
  `${JSON.stringify({ schema: 'fsxbench.stream/1', program: 'lz4', version: '1.9.4', level: 1, processes: 2, bytes: 4e8, stored_bytes: 3e8, wall_s: 2, user_s: 1.5, system_s: 0.5, ...change })}\n`;
const valuesOf = (...texts: string[]) =>
  workloadNamed('stream').values(
    action,
    operationOf(action),
    texts.map((text) => parseText('x.out', text, undefined, '', 'stream')),
  );
const value = (metric: string, ...texts: string[]) => valuesOf(...texts).find((one) => one.metric === metric)?.value;

test.each(casesOf('stream'))('$id is read as it stands', ({ path, expected }) => {
  const { samples, complete, valid, problems } = parseFile(path);
  expect({ complete, valid, problems }).toMatchObject({
    complete: expected.verdict.complete,
    valid: expected.verdict.valid,
    problems: expected.verdict.problems,
  });
  for (const [metric, field] of Object.entries(FIELDS))
    expect([metric, samples.find((one) => one.metric === metric)?.value ?? null]).toEqual([
      metric,
      expected.figures[field] ?? null,
    ]);
});

test.each([
  ['bytes that are no number', line({ bytes: 'many' }), 'not printed'],
  ['a negative time', line({ wall_s: -1 }), 'unreadable'],
])('%s: null with a reason, and not complete', (_, text, reason) => {
  const { samples, complete } = parseText('x.out', text);
  expect(complete).toBe(false);
  expect(samples.filter((sample) => sample.value === null)).toEqual([expect.objectContaining({ reason })]);
});

test('a document names the program, its level and the pipes, as far as the line says them', () => {
  const of = (text: string) => {
    const { version, tests } = parseText('x.out', text, undefined, '', 'stream');
    return { version, tests: tests.map((one) => [one.version, one.tasks]) };
  };
  expect(of(line())).toEqual({ version: 'lz4 1.9.4, level 1', tests: [['lz4 1.9.4', 2]] });
  expect(of(line({ version: '' }))).toEqual({ version: 'lz4, level 1', tests: [['lz4', 2]] });
  expect(of(line({ processes: 'two' })).tests).toEqual([['lz4 1.9.4', null]]);
  expect(of(line().slice(0, -20))).toEqual({ version: null, tests: [[null, null]] });
});

test('a line that is cut is a truncated output without a figure', () => {
  expect(parseText('x.out', line().slice(0, -20))).toMatchObject({
    complete: false,
    valid: false,
    problems: ['truncated'],
    cautions: [],
    samples: [],
  });
});

test('the rate is of the bytes before compression, up to the slowest client', () => {
  expect(value('throughput', line(), line({ wall_s: 4 }))).toBe(200);
  expect(value('client_cpu_seconds', line(), line())).toBe(4);
  expect(value('stored_bytes', line(), line())).toBe(6e8);
});

test('a stream without a time has no rate', () => {
  expect(valuesOf(line({ wall_s: 0 }))).toEqual([]);
});

test('the command names the level, the limits and what makes the data', () => {
  const input = ['fio', '--directory={input}'];
  const phase = { algorithm: 'zstd', level: 3, seconds: 60, maxBytesPerProcess: 2 ** 30, input };
  expect(streamCommand(phase).join(' ')).toBe(
    '{bin}/compress-stream zstd 3 60 1024 {dir} client{client} -- fio --directory={input}',
  );
});
