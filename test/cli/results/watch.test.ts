import { rmSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { follow } from '../../../lib/cli/results/watch';
import type { Runner } from '../../../lib/run/runner';
import type { RunStatus } from '../../../lib/schema/run';
import type { RunRecord } from '../../../lib/store/record';
import { soundRun } from '../../analysis/runs';
import { writeRun } from '../../report/writeRun';
import { fsxbenchIn, status as statusOf } from '../support';

const REFERENCE = { benchmark: 'CompressionBench', run: 'r-1' };
const CONTEXT = { root: '/', out: () => {}, err: () => {}, environment: {}, interactive: false };

const status = (second: number, change: Partial<RunStatus> = {}): RunStatus =>
  statusOf({
    updatedAt: new Date(Date.UTC(2026, 10, 21, 9, 0, second)).toISOString(),
    etaSeconds: 43_200,
    message: 'IOR write',
    driver: { host: 'leader', pid: 1 },
    ...change,
  });

/** A runner that says one thing after the other, and the last one for ever. */
const saying = (...words: RunStatus[]): Runner => ({
  start: () => Promise.resolve(),
  status: async () => (words.length > 1 ? words.shift() : words[0]) ?? null,
});

test('a driver that fell silent in the first of twelve hours is told at once, not after them: its fleet bills', async () => {
  await expect(follow(CONTEXT, saying(status(0)), REFERENCE, { silenceSeconds: 1 })).rejects.toThrow(
    /the driver of r-1 has been silent for 1 s: see driver\.log on leader, and resume with npx fsxbench run CompressionBench --resume r-1/,
  );
});

test('a driver that speaks is followed to its end', async () => {
  const ended = status(3, { state: 'done', endedAt: '2026-11-21T09:00:03.000Z' });
  const words = saying(status(0), status(1), status(2), ended);
  // Silent for longer than this nowhere, in all for longer.
  expect(await follow(CONTEXT, words, REFERENCE, { silenceSeconds: 2 })).toEqual(ended);
});

/** A runner that answers, fails so often, and then says the last word. */
const failing = (error: Error, times: number): Runner => {
  let asked = 0;
  return {
    start: () => Promise.resolve(),
    status: () => {
      asked += 1;
      if (asked > 1 && asked <= 1 + times) return Promise.reject(error);
      return Promise.resolve(
        asked === 1 ? status(0) : status(9, { state: 'done', endedAt: '2026-11-21T09:00:09.000Z' }),
      );
    },
  };
};
const AWAY = new Error('getaddrinfo ENOTFOUND s3.us-east-1.amazonaws.com');

describe('a run whose status cannot be had', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Outcome after some minutes of this test's own clock, and what was said. */
  async function outcome(runner: Runner): Promise<{ readonly end: RunStatus | Error; readonly said: string }> {
    const said: string[] = [];
    const context = { ...CONTEXT, err: (text: string) => void said.push(text) };
    const watched = follow(context, runner, REFERENCE).catch((failure: Error) => failure);
    await jest.advanceTimersByTimeAsync(300_000);
    return { end: await watched, said: said.join('') };
  }

  test('for a while, as the network is away, is followed on, and that is told once', async () => {
    const { end, said } = await outcome(failing(AWAY, 100));
    expect(end).toMatchObject({ state: 'done' });
    expect(said.match(/AWS cannot be reached at s3\S+ \(ENOTFOUND\).*; trying again for 180 s\n/g)).toHaveLength(1);
  });

  test.each([
    ['as the network stays away', AWAY, /AWS cannot be reached at s3\.us-east-1\.amazonaws\.com/],
    [
      'as credentials expire',
      Object.assign(new Error('The provided token has expired.'), { name: 'ExpiredToken' }),
      /the AWS credentials have expired: aws sso login/,
    ],
  ])('%s, may go on, and how to follow it again is said', async (_, error, reason) => {
    const { message } = (await outcome(failing(error, 999))).end as Error;
    expect(message).toMatch(/^r-1 can no longer be followed, and may continue: /);
    expect(message).toMatch(reason);
    expect(message).toMatch(/; to follow it again: npx fsxbench watch r-1$/);
  });
});

test('a run of which nothing was ever heard is not waited for', async () => {
  const never = { status: () => Promise.reject(AWAY) };
  await expect(follow(CONTEXT, never, REFERENCE)).rejects.toBe(AWAY);
});

describe('a run that ended is watched from its folder', () => {
  const sound = soundRun({ repeats: 2, compressibilities: [1] });
  const { status: ended, manifest } = sound as { status: RunStatus; manifest: NonNullable<RunRecord['manifest']> };
  const here = { ...manifest, bucket: null, document: null };
  const { AWS_REGION } = process.env;
  const folders: string[] = [];
  beforeAll(() => void delete process.env.AWS_REGION);
  afterAll(() => {
    if (AWS_REGION !== undefined) process.env.AWS_REGION = AWS_REGION;
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  const written = (change: Partial<RunRecord>): string => {
    const folder = writeRun({ ...sound, raw: [], ...change });
    folders.push(folder);
    return folder;
  };

  test('without AWS, if it is done, and the next step names the folder', async () => {
    const folder = written({ metrics: [] });
    expect(manifest.bucket).not.toBeNull();
    const { status, out, err } = await fsxbenchIn({}, ['watch', folder]);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toContain(`${ended.run} is done.`);
    expect(out).toContain(`\n  npx fsxbench collect ${folder} && npx fsxbench report ${folder}\n`);
    const { out: json } = await fsxbenchIn({}, ['watch', folder, '--json']);
    expect(JSON.parse(json)).toEqual(ended);
  });

  test('with collecting as the next step only while metrics of some samples are missing', async () => {
    const next = async (metrics: RunRecord['metrics']) =>
      (await fsxbenchIn({}, ['watch', written({ metrics })])).out.includes('npx fsxbench collect');
    const before = new Date(Date.parse(ended.endedAt as string) - 60_000).toISOString();
    expect(await next(sound.metrics)).toBe(false);
    expect(await next(sound.metrics.map((one) => ({ ...one, window: { ...one.window, to: before } })))).toBe(true);
  });

  test('wherever it lies, if it compared directories', async () => {
    const arms = manifest.arms.map((arm) => ({ ...arm, fileSystemId: null }));
    const folder = written({ manifest: { ...here, arms } });
    const { status, out } = await fsxbenchIn({}, ['watch', folder, '--results', dirname(folder)]);
    expect(status).toBe(0);
    expect(out).toContain(`\n  npx fsxbench report ${folder} --markdown\n`);
    // The next step names it as it was typed.
    const typed = relative(process.cwd(), folder);
    expect((await fsxbenchIn({}, ['watch', typed])).out).toContain(`\n  npx fsxbench report ${typed} --markdown\n`);
    const stopped = written({ manifest: here, status: { ...ended, state: 'interrupted' } });
    expect(await fsxbenchIn({}, ['watch', stopped])).toMatchObject({
      status: 1,
      err: expect.stringContaining(`resume it with npx fsxbench run CompressionBench --resume ${stopped}\n`),
    });
  });

  test('but not one that a command on this computer still drives', async () => {
    const folder = written({ manifest: here, status: { ...ended, state: 'running', endedAt: null } });
    expect(await fsxbenchIn({}, ['watch', folder])).toMatchObject({
      status: 1,
      err: `fsxbench: the run ${basename(folder)} is local: it is driven by the command that started it\n`,
    });
  });
});
