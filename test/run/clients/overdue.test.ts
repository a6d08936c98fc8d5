import { endedWhenStuck } from '../../../lib/run/clients/reach';

/** Pauses end when the test says so. */
const mockPauses: { seconds: number; end: () => void }[] = [];
jest.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise<void>((end) => void mockPauses.push({ seconds: ms / 1000, end })),
}));
beforeEach(() => {
  mockPauses.length = 0;
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A work that ends when it is aborted or told to, of a file system that answers in turn; with the pauses that were waited for. */
function work(expectedSeconds: number, answers: (string | null)[]) {
  const abort = new AbortController();
  let finish = (_: string): void => {};
  const outcome = endedWhenStuck(
    (signal) =>
      new Promise<string>((resolve) => {
        finish = resolve;
        signal.addEventListener('abort', () => resolve('aborted'));
      }),
    { abort: abort.signal, expectedSeconds, problem: async () => answers.shift() ?? null },
  );
  const waited: number[] = [];
  const pass = async () => {
    await turn();
    const pause = mockPauses.shift();
    if (pause === undefined) return;
    waited.push(pause.seconds);
    pause.end();
    await turn();
  };
  return { outcome, pass, waited, abort, answers, finish: (result: string) => finish(result) };
}

// Twice the expected time and half a minute; then every half a minute.
test.each([
  [0, 30],
  [60, 150],
  [600, 1230],
])('a work of %d s is late after %d s, and ended once its file system stores nothing', async (expected, late) => {
  const { outcome, pass, waited } = work(expected, [null, null, 'it stores nothing']);
  for (let pauses = 0; pauses < 3; pauses++) await pass();
  expect(await outcome).toEqual({ result: 'aborted', problem: 'it stores nothing' });
  expect(waited).toEqual([late, 30, 30]);
});

test('a work that ends in time is not asked about, and has no problem', async () => {
  const { outcome, finish, answers } = work(60, ['it stores nothing']);
  finish('done');
  expect(await outcome).toEqual({ result: 'done', problem: null });
  expect(answers).toEqual(['it stores nothing']);
});

test('a work that the user ends has no problem of its file system', async () => {
  const { outcome, pass, abort } = work(60, ['it stores nothing']);
  abort.abort();
  await pass();
  expect(await outcome).toEqual({ result: 'aborted', problem: null });
});
