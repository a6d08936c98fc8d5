import { etaOf, makeProgress } from '../../../lib/cli/render/progress';
import { progressOf } from '../../../lib/lab/deploy';
import type { RunStatus } from '../../../lib/schema/run';

const status = (change: Partial<RunStatus> = {}): RunStatus => ({
  schema: 'fsxbench.status/1',
  run: 'r-1',
  benchmark: 'CompressionBench',
  state: 'running',
  step: 'r1-c1-write',
  phase: 'measure',
  stepsDone: 1,
  stepsTotal: 9,
  failedSteps: [],
  startedAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
  endedAt: null,
  sessions: [],
  etaSeconds: 60,
  message: 'fio write on none',
  ...change,
});

describe('on what is no terminal', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Seconds at which a line was said, with the line. */
  const said: [number, string][] = [];
  const begin = () => {
    said.length = 0;
    const start = Date.now();
    const err = (text: string): void => void said.push([(Date.now() - start) / 1000, text.trim()]);
    return makeProgress({ root: '/', out: () => {}, err, environment: {}, interactive: false });
  };
  const longestSilence = (end: number): number =>
    Math.max(...[0, ...said.map(([at]) => at), end].map((at, index, all) => at - (all[index - 1] ?? at)));

  test.each([
    ['heartbeats come every 5 s, seen up to 1 s later', [5, 10.9, 15.9, 20, 25.9, 30, 35.9, 40]],
    ['steps are short', Array.from({ length: 100 }, (_, index) => 0.4 * index)],
    ['a machine is so busy that its heartbeats are late', [1, 14, 29, 40]],
    ['nothing is heard of the driver', [40]],
  ])('no silence is longer than 9 s where %s', (_, beats) => {
    const progress = begin();
    let now = 0;
    for (const at of beats) {
      jest.advanceTimersByTime((at - now) * 1000);
      now = at;
      progress.show(status({ stepsDone: Math.floor(at) }));
    }
    progress.stop();
    expect(longestSilence(40)).toBeLessThanOrEqual(9);
    expect(said.length).toBeLessThanOrEqual(11);
  });

  test('silence is broken with what is under way', () => {
    const progress = begin();
    jest.advanceTimersByTime(8000);
    progress.show(status());
    jest.advanceTimersByTime(8000);
    progress.stop();
    expect(said.map(([, line]) => line)).toEqual([
      "waiting for the driver's first word … 8 s",
      '1/9 steps · fio write on none · 1 min 00 s left',
      'fio write on none … 8 s',
    ]);
  });
});

test.each<[Partial<RunStatus>, string]>([
  [{ etaSeconds: null }, 'no estimate yet'],
  [{ etaSeconds: 43_200 }, '12 h 00 min left'],
  [{ etaSeconds: 70, etaLowSeconds: 21, etaHighSeconds: 110 }, '21–110 s left'],
  [{ etaSeconds: 400, etaLowSeconds: 130, etaHighSeconds: 670 }, '2–12 min left'],
  [{ etaSeconds: 150, etaLowSeconds: 40, etaHighSeconds: 260 }, 'up to 5 min left'],
  [{ etaSeconds: 20_000, etaLowSeconds: 10_000, etaHighSeconds: 30_000 }, '2–9 h left'],
  [{ etaSeconds: 250, etaLowSeconds: 230, etaHighSeconds: 270 }, '4 min 10 s left'],
  [{ etaSeconds: 0, etaLowSeconds: 0, etaHighSeconds: 0, endedAt: '2026-11-21T09:00:00.000Z', state: 'done' }, 'done'],
])('the time left of %j is %s', (change, words) => {
  expect(etaOf(status(change))).toBe(words);
});

test.each([
  ['✅  Environment aws://123456789012/us-east-1 bootstrapped.', 'synthesising the stacks'],
  ['CompressionBench: deploying... [2/2]', undefined],
  [' ✅  CompressionBench', 'asking what was deployed'],
])('what is under way is not what the CDK CLI said last: %s', (line, next) => {
  expect(progressOf(line)).toEqual([line.trim(), next]);
});

test('in the lab a price is what AWS would ask, and quotas are nobody’s concern', () => {
  expect(
    progressOf(
      'INFO Deploying CompressionBench at scale published costs 27.11 USD/h (list prices) (Construct Annotations)',
    ),
  ).toEqual([
    'nothing here costs money; on AWS, deploying CompressionBench at scale published would cost 27.11 USD/h (list prices) (Construct Annotations)',
    'preparing the stacks',
  ]);
  expect(
    progressOf(
      'WARNING 8 × c5n.9xlarge are 288 vCPUs of "Running On-Demand Standard instances" (L-1216C47A), of which a new account has 5 in a Region; before deploying look at yours, and have it raised',
    ),
  ).toEqual([null]);
});
