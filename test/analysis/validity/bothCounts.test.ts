import type { Subject } from '../../../lib/analysis/subject';
import { bytesNotCounted, foreignLoad } from '../../../lib/analysis/validity/service';
import { makeRandom } from '../../../lib/estimate';
import { storageOf } from '../../../lib/storage/lookup';

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
  const arms = [{ name: 'none', storage: storageOf({}), series }];
  return { plan: null, status: { endedAt: at(now) }, tasks, arms, sessions, elsewhere: null } as unknown as Subject;
}

/** Seeds of the worlds that a rule judges, and of those in which it finds something. */
function judgedBy(rule: typeof foreignLoad, publisher: Publisher, factor = 1) {
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
    const [foreign, missing] = [judgedBy(foreignLoad, publisher), judgedBy(bytesNotCounted, publisher)];
    expect({ foreign: foreign.found, missing: missing.found }).toEqual({ foreign: [], missing: [] });
    expect(foreign.judged.length).toBeGreaterThan(0.4 * WORLDS);
    expect(missing.judged.length).toBeGreaterThan(0.4 * WORLDS);
  });

  test('most that can be judged are found out where a third more or less was counted', () => {
    const [foreign, missing] = [judgedBy(foreignLoad, publisher, 1.33), judgedBy(bytesNotCounted, publisher, 0.67)];
    // Some of it may be of tasks that share their minutes with what is not known.
    expect(foreign.found.length / foreign.judged.length).toBeGreaterThan(0.85);
    expect(missing.found.length / missing.judged.length).toBeGreaterThan(0.85);
  });
});
