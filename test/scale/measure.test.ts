import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FileSystem } from '@aws-sdk/client-fsx';
import type { CliContext } from '../../lib/cli/context';
import {
  type MeasureOptions,
  type MeasureResult,
  measureAround,
  prepareMeasurement,
} from '../../lib/cli/scale/scaleMeasure';
import { readRun, renderHtml, renderMarkdown, summariseRun } from '../../lib/report';
import type { FsxApi } from '../../lib/scale/fileSystem';
import type { Manifest } from '../../lib/schema/run';
import type { Sample } from '../../lib/schema/sample';
import { stateOf } from '../../lib/storage/lustre/state';
import { readSamples } from '../../lib/store/documents';

const ID = 'fs-0a1b2c3d4e5f60718';
const IOPS = 24_000;

const temporary = (): string => mkdtempSync(join(tmpdir(), 'fsxbench-measure-'));
let folder = '';
beforeEach(() => {
  folder = temporary();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Mood = 'works' | 'refuses' | 'fails' | 'never ends';

/** FSx with one file system, in a mood. */
class FakeFsx implements FsxApi {
  readonly region = 'us-east-1';
  mood: Mood = 'works';
  updates = 0;
  private iops = 12_000;
  private busy: { status: 'IN_PROGRESS' | 'FAILED'; looks: number } | null = null;

  async describe() {
    if (this.busy?.status === 'IN_PROGRESS' && this.busy.looks-- <= 0) this.end();
    return stateOf(this.answer());
  }

  async update() {
    this.updates += 1;
    if (this.mood === 'refuses') throw new Error('ServiceLimitExceeded: not today');
    if (this.mood === 'works') this.end();
    else if (this.mood === 'fails') this.busy = { status: 'FAILED', looks: 0 };
    else this.busy = { status: 'IN_PROGRESS', looks: 1e9 };
  }

  /** Work that was under way is done. */
  end() {
    this.busy = null;
    this.iops = IOPS;
  }

  private answer(): FileSystem {
    const { busy, iops } = this;
    return {
      FileSystemId: ID,
      FileSystemType: 'LUSTRE',
      FileSystemTypeVersion: '2.15',
      Lifecycle: busy?.status === 'IN_PROGRESS' ? 'UPDATING' : 'AVAILABLE',
      StorageType: 'SSD',
      StorageCapacity: 1200,
      LustreConfiguration: {
        DeploymentType: 'PERSISTENT_2',
        PerUnitStorageThroughput: 125,
        MetadataConfiguration: { Mode: 'USER_PROVISIONED', Iops: iops },
        MountName: 'abcdefgh',
      },
      AdministrativeActions: busy
        ? [
            {
              AdministrativeActionType: 'FILE_SYSTEM_UPDATE',
              Status: busy.status,
              RequestTime: new Date(),
              ProgressPercent: 40,
              FailureDetails: { Message: 'no servers left' },
              TargetFileSystemValues: {
                LustreConfiguration: { MetadataConfiguration: { Mode: 'USER_PROVISIONED', Iops: IOPS } },
              },
            },
          ]
        : [],
    };
  }
}

function context(): CliContext {
  return {
    root: resolve(__dirname, '../..'),
    out: () => {},
    err: () => {},
    // A lab: any directory stands in for the mounted file system.
    environment: { ...process.env, AWS_ENDPOINT_URL: 'http://localhost:1' },
    interactive: false,
  };
}

const SMALL = ['repeats=1', 'filesPerRank=50', 'maxRounds=1', 'seconds=0', 'fileBytes=0'];

/** The command once more, as a user types it. */
async function measure(
  fsx: FakeFsx,
  change: Partial<MeasureOptions> = {},
  timeoutSeconds = 60,
): Promise<MeasureResult> {
  const options = { measure: folder, set: SMALL, results: join(folder, 'results'), ...change };
  const prepared = await prepareMeasurement(context(), fsx, ID, IOPS, options);
  return measureAround(context(), fsx, prepared, options, { timeoutSeconds, everySeconds: 0.05 });
}

const samplesOf = ({ folder: run }: MeasureResult): readonly Sample[] => readSamples(run).samples;
const ratesOf = (result: MeasureResult, arm: string): Sample[] =>
  samplesOf(result).filter((sample) => sample.arm === arm && sample.metric === 'rate' && sample.value !== null);
const runsIn = (): string[] => readdirSync(join(folder, 'results/runs/MetadataBench'));

describe('a measurement around a raise', () => {
  const fsx = new FakeFsx();
  const own = temporary();
  let result: MeasureResult;
  beforeAll(async () => {
    result = await measure(fsx, { measure: own, results: join(own, 'results'), set: [...SMALL, 'repeats=2'] });
  });
  afterAll(() => rmSync(own, { recursive: true, force: true }));

  test('is one run: every repeat before, the raise, every repeat after', () => {
    expect(result).toMatchObject({ state: 'done', resumed: false, raiseSeconds: expect.any(Number) });
    expect([fsx.updates, readdirSync(join(own, 'results/runs/MetadataBench'))]).toEqual([1, [result.run]]);
    const [before, after] = [ratesOf(result, 'before'), ratesOf(result, 'after')];
    expect(new Set(before.map(({ repeat }) => repeat))).toEqual(new Set([1, 2]));
    expect(before.map(({ operation }) => operation)).toEqual(after.map(({ operation }) => operation));
    const raise = samplesOf(result).find(({ step }) => step === 'raise') as Sample;
    expect(before.every(({ endedAt }) => endedAt <= raise.startedAt)).toBe(true);
    expect(after.every(({ startedAt }) => startedAt >= raise.endedAt)).toBe(true);
  });

  test('has new directories after the raise, since only those use new metadata targets', () => {
    const made = (arm: string): string[] => {
      const raw = join(result.folder, 'raw', arm, 'prepare');
      const commands = readdirSync(raw).filter((name) => name.endsWith('.cmd'));
      return commands.flatMap((name) => readFileSync(join(raw, name), 'utf8').match(/mkdir -p \S+/g) ?? []);
    };
    const [before, after] = [made('before'), made('after')];
    expect([before.length, after.length]).toEqual([2, 2]);
    expect(after.filter((path) => before.includes(path))).toEqual([]);
  });

  test('ends in one report: difference with interval, and that time is confounded with the raise', async () => {
    expect(existsSync(result.report)).toBe(true);
    const record = await readRun(result.folder);
    const { comparisons, issues } = summariseRun(record);
    expect(comparisons.length).toBeGreaterThan(2);
    for (const { interval, estimate, ...comparison } of comparisons) {
      expect(comparison).toMatchObject({ design: 'before-after', baseline: 'before', arm: 'after', pairs: [] });
      expect(comparison.repeats).toEqual([2, 2]);
      expect(interval?.method).toBe('Welch t on logarithms');
      expect(estimate).toBeGreaterThanOrEqual(interval?.low ?? Number.POSITIVE_INFINITY);
    }
    expect(result.operations.map(({ operation }) => operation)).toEqual(comparisons.map(({ operation }) => operation));
    expect(issues.map(({ id }) => id)).toEqual(expect.arrayContaining(['order-is-time', 'one-client']));
    for (const text of [await renderHtml(summariseRun(record)), renderMarkdown(summariseRun(record))]) {
      expect(text).toContain('Before and after');
      expect(text).toContain('2 repeats and then 2');
      expect(text).not.toMatch(/Paired differences|in \d pairs|took turns/);
      expect(text).toContain(`fsxbench scale metadata ${ID} --iops IOPS --measure DIRECTORY`);
    }
  });

  test('keeps what FSx says of the file system on both sides', () => {
    const { arms, stack, lab } = JSON.parse(readFileSync(join(result.folder, 'manifest.json'), 'utf8')) as Manifest;
    const iops = arms.map(
      ({ describe: said }) => (said as FileSystem).LustreConfiguration?.MetadataConfiguration?.Iops,
    );
    expect([iops, stack, lab]).toEqual([[12_000, IOPS], null, true]);
  });
});

describe('a raise that does not come off', () => {
  test.each<[Mood, string]>([
    ['refuses', 'ServiceLimitExceeded: not today'],
    ['fails', `FSx could not change ${ID}: no servers left`],
  ])('and %s leaves the figures before it, and the same command goes on with it', async (mood, reason) => {
    const fsx = new FakeFsx();
    fsx.mood = mood;
    const first = await measure(fsx);
    expect(first).toMatchObject({ state: 'failed', raiseSeconds: null });
    expect(first.message).toContain(`${reason}; `);
    const kept = ratesOf(first, 'before');
    expect(kept.length).toBeGreaterThan(2);
    expect(ratesOf(first, 'after')).toEqual([]);
    expect(first.operations.every(({ before, after }) => before !== null && after === null)).toBe(true);
    expect(renderMarkdown(summariseRun(await readRun(first.folder)))).toContain(reason);

    fsx.mood = 'works';
    const second = await measure(fsx);
    expect(second).toMatchObject({ run: first.run, state: 'done', resumed: true });
    expect(ratesOf(second, 'before')).toEqual(kept);
    expect(ratesOf(second, 'after').length).toBe(kept.length);
    expect([fsx.updates, runsIn()]).toEqual([2, [first.run]]);
  });

  test('in time is waited for by the same command, not asked for again', async () => {
    const fsx = new FakeFsx();
    fsx.mood = 'never ends';
    const first = await measure(fsx, {}, 0.2);
    expect(first.message).toContain(`${ID} has not changed after`);
    setTimeout(() => fsx.end(), 300);
    const second = await measure(fsx);
    expect([second.state, second.resumed, fsx.updates]).toEqual(['done', true, 1]);
  });

  test('is begun anew where that is asked for', async () => {
    const fsx = new FakeFsx();
    fsx.mood = 'refuses';
    const first = await measure(fsx);
    const second = await measure(fsx, { newRun: true });
    expect([second.resumed, second.run === first.run, runsIn().length]).toEqual([false, false, 2]);
  });
});

test('does not raise what could not be measured before: it never could be again', async () => {
  const fsx = new FakeFsx();
  const options = { measure: folder, set: SMALL, results: join(folder, 'results') };
  const prepared = await prepareMeasurement(context(), fsx, ID, IOPS, options);
  // Where the data should go there is a file.
  const plan = {
    ...prepared.plan,
    steps: prepared.plan.steps.map((step) => ({
      ...step,
      tasks: step.tasks.map((task) =>
        step.id === 'r1-s0-before-create' && task.action.kind === 'workload'
          ? { ...task, action: { ...task.action, command: ['fio', '--nonsense'], tool: 'fio' as const } }
          : task,
      ),
    })),
  };
  const result = await measureAround(context(), fsx, { ...prepared, plan }, options, { everySeconds: 0.05 });
  expect([result.state, fsx.updates]).toEqual(['failed', 0]);
  const raise = samplesOf(result).find(({ step }) => step === 'raise');
  expect(raise?.reason).toMatch(/^nothing was changed, since r1-s0-before-create.* could not be measured before$/);
  expect(ratesOf(result, 'after')).toEqual([]);
});

describe('before anything is changed or written', () => {
  const prepare = (
    change: Partial<MeasureOptions>,
    environment?: NodeJS.ProcessEnv,
    fsx = new FakeFsx(),
    iops = IOPS,
  ) =>
    prepareMeasurement({ ...context(), ...(environment && { environment }) }, fsx, ID, iops, {
      measure: folder,
      set: SMALL,
      results: join(folder, 'results'),
      ...change,
    });

  test('a directory that is not there is refused', async () => {
    await expect(prepare({ measure: '/nowhere' })).rejects.toThrow('--measure: there is no directory /nowhere');
  });

  test('outside of a lab a directory on another file system is refused', async () => {
    await expect(prepare({}, { PATH: process.env.PATH })).rejects.toThrow(
      `'--measure' must be on a mount of ${ID} on this machine, got ${folder}: raise without --measure, or run the same command on a client that has ${ID} mounted`,
    );
  });

  test.each([
    ['simultaneous=true', "there is no parameter 'simultaneous'"],
    ['repeats=0', "'repeats' must be a whole number from 1 to 1000, got '0'"],
  ])('the parameter %s is refused', async (set, message) => {
    await expect(prepare({ set: [set] })).rejects.toThrow(message);
  });

  test('what AWS refuses is refused', async () => {
    await expect(prepare({}, undefined, new FakeFsx(), 13_000)).rejects.toThrow('got 13000. Take 24000.');
  });

  test.each([() => prepare({ measure: '/nowhere' }), () => prepare({}, undefined, new FakeFsx(), 13_000)])(
    'nothing is written',
    async (attempt) => {
      await expect(attempt()).rejects.toThrow();
      expect(existsSync(join(folder, 'results'))).toBe(false);
    },
  );
});
