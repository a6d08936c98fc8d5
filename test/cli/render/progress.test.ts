import type { CliContext } from '../../../lib/cli/context';
import { silencedBy } from '../../../lib/cli/input/interrupt';
import { etaOf, makeProgress } from '../../../lib/cli/render/progress';
import { progressLog, withProgress, withProgressWhenSlow } from '../../../lib/cli/render/progressLog';
import { outStyled, showsColour } from '../../../lib/cli/render/styled';
import type { RunStatus } from '../../../lib/schema/run';
import { status } from '../support';

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

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('silence is broken every few seconds, and not by a command that is over', () => {
  const said: string[] = [];
  const { say, stop } = progressLog((line) => said.push(line), 8);
  say('deploying');
  jest.advanceTimersByTime(7999);
  expect(said).toEqual(['deploying']);
  jest.advanceTimersByTime(8001);
  expect(said).toEqual(['deploying', 'deploying … 8 s', 'deploying … 16 s']);
  say('deployed');
  jest.advanceTimersByTime(5000);
  stop();
  jest.advanceTimersByTime(60_000);
  expect(said.at(-1)).toBe('deployed');
});

test('what has ended is not said to be under way', () => {
  const said: string[] = [];
  const { say, stop } = progressLog((line) => said.push(line), 8, 'starting the emulator');
  jest.advanceTimersByTime(8000);
  say('the emulator answers', 'making the file systems');
  jest.advanceTimersByTime(8000);
  stop();
  expect(said).toEqual(['starting the emulator … 8 s', 'the emulator answers', 'making the file systems … 8 s']);
});

test('work that fails is no longer said to be under way', async () => {
  const said: string[] = [];
  const failed = withProgress(
    (line) => said.push(line),
    'collecting',
    () => new Promise((_, reject) => setTimeout(() => reject(new Error('no such run')), 20_000)),
  );
  const told = expect(failed).rejects.toThrow('no such run');
  await jest.advanceTimersByTimeAsync(60_000);
  await told;
  expect(said).toEqual(['collecting', 'collecting … 8 s', 'collecting … 16 s']);
});

test('work that is quick is not spoken of', async () => {
  const said: string[] = [];
  const of = (milliseconds: number) =>
    withProgressWhenSlow(
      (line) => said.push(line),
      'asking',
      () => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    );
  const quick = of(7000);
  await jest.advanceTimersByTimeAsync(30_000);
  await quick;
  expect(said).toEqual([]);
  const slow = of(9000);
  await jest.advanceTimersByTimeAsync(30_000);
  await slow;
  expect(said).toEqual(['asking … 8 s']);
});

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { TERM: 'dumb' }, false],
])('a terminal: %s with %j shows colour: %s', (terminal, environment, shown) => {
  expect(showsColour(terminal, environment)).toBe(shown);
});

test('a file is a link where the terminal has them, and what a run says cannot colour the terminal', () => {
  const printed = (colour: boolean): string => {
    let out = '';
    const context = {
      root: '/',
      environment: {},
      interactive: false,
      colour,
      err: () => {},
      out: (text: string) => {
        out += text;
      },
    };
    outStyled(context, [{ style: 'green', text: 'VALID' }, ' \u001b[31mevil ', { file: '/tmp/a b.html' }]);
    return out;
  };
  expect(printed(false)).not.toContain('\u001b');
  expect(printed(false)).toMatch(/^VALID .*evil file:\/\/\/tmp\/a%20b\.html$/);
  expect(printed(true)).toContain('\u001b[32mVALID\u001b[0m');
  expect(printed(true)).toContain('\u001b]8;;file:///tmp/a%20b.html\u001b\\file:///tmp/a%20b.html');
  expect(printed(true)).not.toContain('\u001b[31m');
});

test('work that was interrupted prints nothing more, in no way', () => {
  const printed: string[] = [];
  const print = (text: string): void => void printed.push(text);
  const context: CliContext = {
    root: '',
    environment: {},
    interactive: true,
    out: print,
    err: print,
    raw: print,
    redraw: print,
  };
  const interrupted = new AbortController();
  const silenced = silencedBy(interrupted.signal, context);
  const printAll = (): void => {
    silenced.out('out');
    silenced.err('err');
    silenced.redraw?.('redrawn');
    outStyled(silenced, [{ style: 'bold', text: 'styled' }]);
  };
  printAll();
  expect(printed).toEqual(['out', 'err', 'redrawn', expect.stringContaining('styled')]);
  interrupted.abort();
  printAll();
  expect(printed).toHaveLength(4);
});
