import { progressLog, withProgress, withProgressWhenSlow } from '../../../lib/cli/render/progressLog';
import { outStyled, showsColour } from '../../../lib/cli/render/styled';

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
