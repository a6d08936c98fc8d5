/** Each rule of validity keeps to the figure that reports print as its threshold: a little less is silent, a little more is found. */
import type { Subject } from '../../../lib/analysis/subject';
import { summarise } from '../../../lib/analysis/summary';
import { backgroundLoad, bytesNotCounted } from '../../../lib/analysis/validity/service';
import { makeRandom } from '../../../lib/estimate';
import { storageNamed } from '../../../lib/storage/lookup';
import type { RunRecord } from '../../../lib/store/record';
import { creations, isMeasured, shortened, states, timed, withBytes, withEnds, withLoad } from '../faultyRuns';
import { soundRun, withMetric, withSamples, withUsedSpace } from '../runs';

/** A sound run of four repeats in which the service counted a multiple of the bytes of `none`'s writes in one of them. */
function counting(factor: number, repeat = 2, record = soundRun({ compressibilities: [1] })): RunRecord {
  const phase = record.samples.find(
    (sample) => isMeasured(sample) && sample.arm === 'none' && sample.operation === 'write' && sample.repeat === repeat,
  );
  if (phase === undefined) throw new Error(`no write in repeat ${repeat}`);
  const [from, to] = [Date.parse(phase.startedAt), Date.parse(phase.endedAt)];
  const metrics = record.metrics.map((file) => ({
    ...file,
    series: file.series.map((series) =>
      series.arm === 'none' && series.metric === 'DataWriteBytes'
        ? {
            ...series,
            points: series.points.map(([at, value]) => {
              const time = Date.parse(at);
              return [at, time >= from - 60_000 && time < to ? value * factor : value] as const;
            }),
          }
        : series,
    ),
  }));
  return { ...record, metrics };
}

const ruleOf = (record: RunRecord, rule: string) => summarise(record).analysis.checks.find(({ id }) => id === rule);

test.each([1, 2, 3, 4])('background load of 30 % in repeat %i of four is found, and the phase is named', (repeat) => {
  expect(ruleOf(counting(1.3, repeat), 'background-load')).toMatchObject({
    state: 'found',
    issues: [
      {
        severity: 'error',
        message: expect.stringMatching(
          /^none: the service counted (2\d|3\d)(\.\d+)? % more of write than the clients of this run in 1 of 4 groups of phases\.$/,
        ),
        where: expect.stringContaining(`r${repeat}-`),
      },
    ],
  });
});

test.each([1, 3])(
  'bytes of repeat %i of four that the service never saw are found, and the phase is named',
  (repeat) => {
    expect(ruleOf(counting(0.85, repeat), 'bytes-not-counted-by-service')).toMatchObject({
      state: 'found',
      issues: [
        {
          message: expect.stringMatching(/less of write than the clients in 1 of 4 groups of phases;/),
          where: expect.stringContaining(`r${repeat}-`),
        },
      ],
    });
  },
);

test('what a passed check says that it could have found is true of each phase, and of nothing less', () => {
  const outcome = ruleOf(counting(1), 'background-load');
  expect(outcome).toMatchObject({ state: 'passed' });
  expect(outcome?.couldFind).toMatch(
    /^background load above 10 % in any of 18 groups of up to 2 adjacent phases: DataWriteBytes of none/,
  );
  // The service counts as the clients do but for 2 %.
  expect(ruleOf(counting(1.15), 'background-load')?.state).toBe('found');
  expect(ruleOf(counting(1.06), 'background-load')?.state).toBe('passed');
});

test('phases that share periods of the service are judged together, and the check says of how many', () => {
  const record = soundRun({ compressibilities: [1] });
  // Reads are left out, and the writes follow one another.
  const first = Math.min(...record.samples.filter(isMeasured).map(({ startedAt }) => Date.parse(startedAt)));
  const shift = (repeat: number, at: string): string =>
    new Date(Date.parse(at) - startOf(record, repeat) + first + (repeat - 1) * 360_000).toISOString();
  const samples = record.samples.flatMap((sample) =>
    isMeasured(sample) && sample.operation === 'write'
      ? [
          {
            ...sample,
            startedAt: shift(sample.repeat, sample.startedAt),
            endedAt: shift(sample.repeat, sample.endedAt),
          },
        ]
      : [],
  );
  expect(ruleOf({ ...record, samples }, 'background-load')?.couldFind).toContain(
    'in any of 2 groups of up to 4 adjacent phases: DataWriteBytes of none, lz4',
  );
});

const startOf = (record: RunRecord, repeat: number): number =>
  Date.parse(
    record.samples.find((sample) => isMeasured(sample) && sample.operation === 'write' && sample.repeat === repeat)
      ?.startedAt ?? '',
  );

const write = (step: string, from: number, to: number) => ({
  arm: 'none',
  step,
  operation: 'write',
  tool: 'fio',
  bytes: 1e9,
  from: from * 1000,
  to: to * 1000,
});

/** Answer about tasks of one arm, with the bytes that the service counted in each minute; `null` for a minute that it did not publish. */
function judge(tasks: readonly object[], counted: readonly (number | null)[], sessions: readonly object[] = []) {
  const points = counted.flatMap((value, minute) =>
    value === null ? [] : [[new Date(minute * 60_000).toISOString(), value]],
  );
  const series = [
    { arm: 'none', metric: 'DataWriteBytes', dimensions: {}, periodSeconds: 60, statistic: 'Sum', points },
  ];
  const arms = [{ name: 'none', storage: storageNamed('lustre'), series }];
  return backgroundLoad.check({
    plan: null,
    status: null,
    tasks,
    arms,
    sessions,
    elsewhere: null,
  } as unknown as Subject);
}

test('bytes of a task that is left out, since a program was at work beside it, are not background load', () => {
  const program = { ...write('r1-run', 200, 230), operation: 'run', tool: 'command', bytes: null };
  const tasks = [write('r1-write', 0, 60), write('r1-write-again', 70, 130), program];
  expect(judge(tasks, [1e9, 0.9e9, 0.1e9])).toMatchObject({ state: 'judged', findings: [] });
  expect(judge(tasks, [1e9, 1.3e9, 0.1e9])).toMatchObject({
    findings: [{ message: 'none: the service counted 15 % more of write than the clients of this run.' }],
  });
});

test('bytes of a period that two phases reach are not background load of the first', () => {
  // The service counted the beginning of the second in the minute before it.
  const tasks = [write('r1-write', 0, 62), write('r2-write', 190, 250)];
  expect(judge(tasks, [0.9e9, 0.1e9, 0.3e9, 0.7e9])).toMatchObject({ state: 'judged', findings: [] });
  expect(judge(tasks, [0.9e9, 0.4e9, 0.3e9, 0.7e9])).toMatchObject({ findings: [{ severity: 'error' }] });
});

describe('what a task wrote that was interrupted', () => {
  const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
  const killed = { startedAt: at(0), endedAt: at(100), end: 'killed' };
  const tasks = [write('r1-write', 0, 60), write('r2-write', 600, 660)];
  const counted = [1e9, 0.5e9, 0, 0, 0, 0, 0, 0, 0, 0, 1e9];

  test('is not background load', () => {
    expect(judge(tasks, counted)).toMatchObject({ findings: [{ severity: 'error' }] });
    const sessions = [killed, { startedAt: at(400), endedAt: at(660), end: 'done' }];
    expect(judge(tasks, counted, sessions)).toMatchObject({ state: 'judged', findings: [] });
    // Writes next to the others still are.
    expect(judge(tasks, counted.with(10, 1.3e9), sessions)).toMatchObject({ findings: [{ severity: 'error' }] });
  });

  test('leaves nothing to judge where no other phase is known', () => {
    expect(judge(tasks.slice(0, 1), counted, [killed])).toMatchObject({ state: 'not checked' });
  });
});

const WORLDS = 250;
/** Seconds. */
const PERIOD = 60;

/** Bytes that reached the service at an even rate, in seconds. */
interface Moved {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** Publishes what was moved up to a time: seconds of each point, and its bytes. */
type Publisher = (
  bytesIn: (from: number, to: number) => number,
  end: number,
  random: () => number,
) => [number, number][];

/** Points of periods that a publisher ends at the times of its readings, `late` after the period's end. */
function published(end: number, late: (period: number) => number, bytesIn: (from: number, to: number) => number) {
  const points: [number, number][] = [];
  let read = 0;
  for (let period = 0; period < end; period = Math.floor(read / PERIOD) * PERIOD) {
    const before = read;
    read = period + PERIOD + late(period);
    points.push([Math.floor(read / PERIOD) * PERIOD - PERIOD, bytesIn(before, read)]);
  }
  return points;
}

const PUBLISHERS: Readonly<Record<string, Publisher>> = {
  'each minute': (bytesIn, end) => published(end, () => 0, bytesIn),
  'each minute, up to a minute early': (bytesIn, end, random) => {
    const early = random() * PERIOD;
    return published(end, () => early, bytesIn);
  },
  'most minutes, others in the next': (bytesIn, end, random) =>
    published(end, () => (random() < 0.1 ? PERIOD : 0), bytesIn),
  'whenever a busy machine lets it': (bytesIn, end, random) =>
    published(end, (period) => (period < 4 * PERIOD ? 0 : 4 * PERIOD * random() ** 2), bytesIn),
};

/** A run on one arm: writes, reads, failed writes, user programs, and writes that were killed with the driver and left no sample. */
function world(publisher: Publisher, seed: number, factor = 1): Subject {
  const random = makeRandom(seed);
  const between = (least: number, most: number): number => least + random() * (most - least);
  const oneOf = (...values: number[]): number => values[Math.floor(random() * values.length)] as number;
  const [moved, tasks, sessions]: [Moved[], object[], object[]] = [[], [], []];
  const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
  let now = between(300, 420);
  let started = now;
  for (let task = between(2, 10); task > 0; task -= 1) {
    const seconds = oneOf(between(20, 70), between(60, 200), between(100, 900));
    const [from, to, bytes] = [now, now + seconds, seconds * between(1e8, 3e9)];
    const sample = { arm: 'none', step: `write-${tasks.length}`, tool: 'fio', from: from * 1000, to: to * 1000 };
    now = to + oneOf(0.3, between(0, 20), between(20, 200), between(100, 600));
    const kind = random();
    if (kind < 0.5) {
      moved.push({ from, to, bytes });
      tasks.push({ ...sample, operation: 'write', bytes });
    } else if (kind < 0.65) tasks.push({ ...sample, operation: 'read', bytes });
    else {
      moved.push({ from, to, bytes: bytes * random() });
      if (kind < 0.8) tasks.push({ ...sample, operation: 'write', bytes: null });
      else if (kind < 0.9) tasks.push({ ...sample, operation: 'run', tool: 'command', bytes: null });
      else {
        sessions.push({ startedAt: at(started), endedAt: at(to), end: 'killed' });
        started = now;
      }
    }
  }
  sessions.push({ startedAt: at(started), endedAt: at(now), end: 'done' });
  const bytesIn = (from: number, to: number): number =>
    moved.reduce((sum, one) => {
      const shared = Math.max(0, Math.min(to, one.to) - Math.max(from, one.from));
      return sum + (one.bytes * shared) / (one.to - one.from);
    }, 0);
  const points = publisher(bytesIn, now + 10 * PERIOD, random).map(([time, bytes]) => [at(time), factor * bytes]);
  const series = ['DataWriteBytes', 'DataReadBytes'].map((metric) => {
    const own = metric === 'DataWriteBytes' ? points : [];
    return { arm: 'none', metric, dimensions: {}, periodSeconds: PERIOD, statistic: 'Sum', points: own };
  });
  const arms = [{ name: 'none', storage: storageNamed('lustre'), series }];
  return { plan: null, status: { endedAt: at(now) }, tasks, arms, sessions, elsewhere: null } as unknown as Subject;
}

/** Seeds of the worlds that a rule judges, and of those in which it finds something. */
function judgedBy(rule: typeof backgroundLoad, publisher: Publisher, factor = 1) {
  const [judged, found]: [number[], number[]] = [[], []];
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const answer = rule.check(world(publisher, seed, factor));
    if (answer.state !== 'judged') continue;
    judged.push(seed);
    if (answer.findings.length > 0) found.push(seed);
  }
  return { judged, found };
}

describe.each(Object.keys(PUBLISHERS))('of a service that publishes %s', (name) => {
  const publisher = PUBLISHERS[name] as Publisher;

  test('no run is suspected of what it did not do, however its tasks lie in time and whatever was killed', () => {
    const [foreign, missing] = [judgedBy(backgroundLoad, publisher), judgedBy(bytesNotCounted, publisher)];
    expect({ foreign: foreign.found, missing: missing.found }).toEqual({ foreign: [], missing: [] });
    expect(foreign.judged.length).toBeGreaterThan(0.4 * WORLDS);
    expect(missing.judged.length).toBeGreaterThan(0.4 * WORLDS);
  });

  test('most that can be judged are found out where a third more or less was counted', () => {
    const [foreign, missing] = [judgedBy(backgroundLoad, publisher, 1.33), judgedBy(bytesNotCounted, publisher, 0.67)];
    // Some of it may be of tasks that share their minutes with what is not known.
    expect(foreign.found.length / foreign.judged.length).toBeGreaterThan(0.85);
    expect(missing.found.length / missing.judged.length).toBeGreaterThan(0.85);
  });
});

const idsIn = (record: RunRecord): string[] => summarise(record).issues.map(({ id }) => id);
const counted = (metric: string) => (share: number) => withMetric(soundRun(), metric, () => share);

/** Rates of writes or of reads, in MB/s, on `none`. */
const rateOf = (operation: string) => (MBps: number) =>
  withSamples(soundRun({ compressibilities: [1] }), (sample) =>
    sample.operation === operation && sample.arm === 'none' && sample.metric === 'throughput' && isMeasured(sample)
      ? { ...sample, value: (MBps * 1e6) / 2 ** 20 }
      : sample,
  );

/** The processes of one repeat continue until so many seconds after a time limit of 300 s. */
const endingAt = (seconds: number) => {
  const record = soundRun();
  const late = record.samples.flatMap((sample) =>
    isMeasured(sample) && sample.repeat === 2 && sample.metric === 'bytes'
      ? [sample, { ...sample, metric: 'total_time', value: seconds, unit: 's' }]
      : [sample],
  );
  return { ...record, samples: late };
};

const compressing = (ratio: number) =>
  withSamples(soundRun(), (sample) =>
    sample.metric === 'compression_ratio' && sample.arm === 'lz4' && sample.compressibility === 2.6
      ? { ...sample, value: ratio }
      : sample,
  );

/** A device that moved so many times what the tool did, in the direction of the phase. */
const throughDevice = (written: number, read: number) =>
  withLoad({}, ({ operation, value }) =>
    operation === 'write' ? { read: 0, written: written * (value ?? 0) } : { read: read * (value ?? 0), written: 0 },
  );

test.each([
  [0.12, 'inconclusive'],
  [0.05, 'found'],
])('a read of which the device delivered %d, of data whose ratio was not measured: %s', (share, state) => {
  const { samples, ...run } = withLoad({}, ({ operation, arm, compressibility, value }) =>
    operation === 'write'
      ? { read: 0, written: value ?? 0 }
      : { read: (value ?? 0) * (arm === 'lz4' && compressibility !== 1 ? share : 1), written: 0 },
  );
  const unread = { ...run, samples: samples.filter(({ operation }) => operation !== 'space') };
  expect(states(unread)['read-from-cache']).toBe(state);
});

test.each<readonly [rule: string, (value: number) => RunRecord, silent: number, found: number]>([
  ['phase-too-short', (seconds) => shortened(soundRun(), seconds), 290, 280],
  ['stonewall-wear-out', endingAt, 355, 365],
  ['stragglers', (first) => withEnds(soundRun(), () => ({ first_done: first, last_done: 300 })), 245, 235],
  ['stragglers', (least) => withEnds(soundRun(), () => ({ least_bytes: least, most_bytes: 3e9 })), 1.6e9, 1.4e9],
  ['coarse-clock', timed, 0.021, 0.019],
  ['busy-client', (others) => withLoad({ others, names: ['sh'] }), 0.09, 0.11],
  ['busy-client', (memoryStall) => withLoad({ memoryStall }), 0.04, 0.06],
  ['busy-client', (steal) => withLoad({ steal }), 0.04, 0.06],
  ['other-writers', (share) => throughDevice(share, 1), 1.2, 1.3],
  ['other-writers', (share) => throughDevice(1, share), 1.2, 1.3],
  ['read-from-cache', (share) => throughDevice(1, share), 0.95, 0.85],
  // Four clients of 50 Gb/s, and disks of 3,456 MB/s in a burst with 15 % to spare.
  ['faster-than-network', rateOf('read'), 24_900, 25_100],
  ['faster-than-documented', rateOf('write'), 3950, 4000],
  ['bytes-not-counted-by-service', counted('DataWriteBytes'), 0.96, 0.94],
  ['bytes-not-counted-by-service', counted('DataReadBytes'), 0.97, 0.94],
  ['background-load', counted('DataWriteBytes'), 1.08, 1.12],
  ['background-load', counted('DataReadBytes'), 1.08, 1.12],
  ['creates-not-counted-by-service', creations, 0.96, 0.94],
  ['background-load', creations, 1.08, 1.12],
  ['removes-not-counted-by-service', (share) => creations(share, 'file_remove', 'FileDeleteOperations'), 0.96, 0.94],
  ['compressibility-off-target', compressing, 2.8, 2.9],
  ['compressibility-off-target', compressing, 2.3, 2.2],
  ['free-space-disagrees', (share) => withUsedSpace(({ allocated }) => ({ grown: allocated * share })), 1.08, 1.12],
  ['free-space-disagrees', (share) => withUsedSpace(({ allocated }) => ({ grown: allocated * share })), 0.92, 0.88],
  ['missing-bytes', withBytes, 0.96, 0.94],
])('%s: %#', (rule, runWith, silent, found) => {
  expect([idsIn(runWith(silent)).includes(rule), idsIn(runWith(found)).includes(rule)]).toEqual([false, true]);
});
