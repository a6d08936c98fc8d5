import * as fc from 'fast-check';
import { metadataBench } from '../../../lib/benchmark/metadata';
import {
  alarmWithNamed,
  bare,
  type SimulationOptions,
  simulate,
  type Transition,
  type World,
} from '../../support/alarmSimulator';
import { ofType, type Resource, resourcesOf, stacksWith } from '../../support/cdk';
import { FILE_SYSTEM, lustreDashboard } from '../../support/lustreDashboard';

type Resources = Readonly<Record<string, Resource>>;

const data = resourcesOf(stacksWith().bench);
const metadata = resourcesOf(stacksWith({ arms: ['p250-12000'] }, undefined, undefined, metadataBench).bench);
const foreign = resourcesOf(lustreDashboard({ metadataIops: 12_000 }));

/** Values of metrics in a minute, by their names; a metric that is not named publishes nothing. */
type Script = Readonly<
  Record<string, (minute: number, dimensions: Readonly<Record<string, string>>) => number | undefined>
>;

const worldOf = (script: Script): World => ({
  at: ({ metric, dimensions }, minute) => {
    const value = script[metric]?.(minute, dimensions);
    return value === undefined ? [] : [value];
  },
});

/** Transitions of an alarm, by its name: only the alarm that is asked for is simulated. */
type History = (alarm: string) => readonly Transition[];

function happens(resources: Resources, script: Script, options: SimulationOptions): History {
  const known = new Map<string, readonly Transition[]>();
  return (alarm) => {
    const found =
      known.get(alarm) ??
      simulate(alarmWithNamed(resources, alarm), worldOf(script), options).filter((one) => one.alarm === alarm);
    known.set(alarm, found);
    return found;
  };
}

/** The minutes of notifications. */
const told = (history: History, alarm: string): number[] =>
  history(alarm)
    .filter(({ notified }) => notified)
    .map(({ minute }) => minute);

const statesOf = (history: History, alarm: string): string[] =>
  history(alarm).map(({ minute, to }) => `${minute} ${to}`);

const HOUR = 60;

/** Minutes from the first to before the second. */
type Span = readonly [number, number];

/** The driver: 1 each minute while a run is active, a 0 when it ends, and nothing before and after. */
const runs =
  (...spans: readonly Span[]) =>
  (minute: number): number | undefined => {
    if (spans.some(([from, to]) => minute >= from && minute < to)) return 1;
    return spans.some(([, to]) => minute === to) ? 0 : undefined;
  };

describe('the alarm on an idle fleet', () => {
  const IDLE = 'IdleFleetForgotten';
  const eightClients = () => 8;
  const idle = (script: Script, options: SimulationOptions) =>
    told(happens(data, { GroupInServiceInstances: eightClients, ...script }, options), IDLE);

  test('deployed and never used: OK at first, told after two hours, and again every four', () => {
    const transitions = happens(data, { GroupInServiceInstances: eightClients }, { minutes: 14 * HOUR, startHour: 9 });
    expect(statesOf(transitions, IDLE)).toEqual([
      '1 OK',
      '120 ALARM',
      // 12:00, 16:00 and 20:00.
      '185 OK',
      '190 ALARM',
      '425 OK',
      '430 ALARM',
      '665 OK',
      '670 ALARM',
    ]);
    expect(told(transitions, IDLE)).toEqual([120, 190, 430, 670]);
  });

  test('used then forgotten: told two hours after the run, not before', () => {
    const [first, second] = idle({ RunActive: runs([30, 330]) }, { minutes: 14 * HOUR, startHour: 9 });
    // CloudWatch looks at two periods more than are evaluated.
    expect(first).toBe(330 + 120 + 10);
    expect((second ?? 0) - (first ?? 0)).toBeLessThanOrEqual(4 * HOUR + 5);
  });

  test('in use: nobody is told, neither in a long run nor in a pause of an hour', () => {
    const busy = runs([20, 13 * HOUR], [14 * HOUR, 20 * HOUR], [21 * HOUR, 30 * HOUR]);
    expect(idle({ RunActive: busy }, { minutes: 30 * HOUR })).toEqual([]);
  });

  test('scaled to zero: nobody is told, and the alarm goes back where it had gone off', () => {
    const until = (end: number) => ({ GroupInServiceInstances: (minute: number) => (minute < end ? 8 : 0) });
    expect(told(happens(data, until(HOUR), { minutes: 20 * HOUR }), IDLE)).toEqual([]);
    const late = happens(data, until(3 * HOUR), { minutes: 20 * HOUR, startHour: 9 });
    expect(told(late, IDLE)[0]).toBe(120);
    expect(statesOf(late, IDLE).at(-1)).toBe('195 OK');
  });

  test('a driver that dies is told about, too', () => {
    const died = (minute: number) => (minute > 30 && minute < 200 ? 1 : undefined);
    expect(idle({ RunActive: died }, { minutes: 8 * HOUR, startHour: 9 })[0]).toBeLessThanOrEqual(200 + 135);
  });

  test('half an hour without the heartbeat of a run tells nobody', () => {
    const gaps = (minute: number) => (minute < 20 || (minute > 300 && minute < 330) ? undefined : 1);
    expect(idle({ RunActive: gaps }, { minutes: 12 * HOUR })).toEqual([]);
  });

  test('whatever the runs, the lateness of values and the periods that CloudWatch looks at', () => {
    const gap = fc.integer({ min: 1, max: 9 * HOUR });
    const length = fc.integer({ min: 10, max: 6 * HOUR });
    const options = fc.record({
      morePeriods: fc.integer({ min: 1, max: 4 }),
      lateMinutes: fc.integer({ min: 0, max: 4 }),
      startHour: fc.integer({ min: 0, max: 23 }),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(gap, length), { maxLength: 3 }), options, (plan, more) => {
        const spans: Span[] = [];
        for (const [pause, lasts] of plan) {
          const from = (spans.at(-1)?.[1] ?? 0) + pause;
          spans.push([from, from + lasts]);
        }
        const minutes = (spans.at(-1)?.[1] ?? 0) + 11 * HOUR;
        const times = idle({ RunActive: runs(...spans) }, { ...more, minutes });
        const idleSpans = [...spans.map(([from]) => from), minutes].map(
          (end, index): Span => [spans[index - 1]?.[1] ?? 0, end],
        );
        for (const time of times) {
          const within = idleSpans.find(([from, to]) => time > from && time <= to + 10);
          expect(within).toBeDefined();
          expect(time - (within?.[0] ?? time)).toBeGreaterThan(105);
        }
        // Two hours, the periods that are looked at beyond them, and the five minutes of a reminder.
        const slack = 120 + 5 * (more.morePeriods + 3) + 5;
        for (const [from, to] of idleSpans.filter(([from, to]) => to - from > slack)) {
          const own = times.filter((time) => time > from && time <= to + 10);
          expect(own[0]).toBeLessThanOrEqual(from + slack);
          for (const [index, time] of own.entries()) {
            expect((own[index + 1] ?? to) - time).toBeLessThanOrEqual(4 * HOUR + 10);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('the alarm on a stalled run', () => {
  const STALLED = 'StalledOnEveryArm';
  const busyUntil = (end: number) => (minute: number) => (minute < end ? 5e9 : 0);

  test.each<[string, Resources, Script]>([
    ['bytes', data, { DataReadBytes: busyUntil(60), DataWriteBytes: busyUntil(60) }],
    ['bytes, and then FSx publishes nothing', data, { DataWriteBytes: (minute) => (minute < 60 ? 5e9 : undefined) }],
    ['metadata operations', metadata, { MetadataOperations: busyUntil(60) }],
  ])('is told once when an active run sees no more %s for 15 minutes', (_, resources, script) => {
    const transitions = happens(resources, { RunActive: runs([10, 240]), ...script }, { minutes: 300 });
    const [time, ...more] = told(transitions, STALLED);
    expect(more).toEqual([]);
    expect(time).toBeGreaterThanOrEqual(75);
    expect(time).toBeLessThanOrEqual(85);
    expect(statesOf(transitions, STALLED).at(-1)).toMatch(/OK$/);
  });

  test('is told when a run never moves a byte, though FSx never published one', () => {
    expect(told(happens(data, { RunActive: runs([10, 240]) }, { minutes: 300 }), STALLED)).toEqual([25]);
  });

  test.each([1, 2, 3, 4])(
    'is silent before, in and after a run that works, %i periods looked at beyond',
    (morePeriods) => {
      const works = (minute: number) => (minute >= 100 && minute < 200 ? 1e9 : 0);
      const transitions = happens(
        data,
        { RunActive: runs([98, 201]), DataReadBytes: () => 0, DataWriteBytes: works },
        { minutes: 400, morePeriods },
      );
      expect(told(transitions, STALLED)).toEqual([]);
    },
  );

  test('is silent while one arm works', () => {
    const one = (minute: number, { FileSystemId = '' }: Readonly<Record<string, string>>) =>
      FileSystemId.includes('lz4') && minute < 240 ? 1e9 : 0;
    const script = { RunActive: runs([10, 240]), DataReadBytes: one, DataWriteBytes: () => 0 };
    expect(told(happens(data, script, { minutes: 300 }), STALLED)).toEqual([]);
  });

  test('is silent where nothing runs', () => {
    const nothing = { DataReadBytes: () => 0, DataWriteBytes: () => 0 };
    expect(told(happens(data, nothing, { minutes: 600 }), STALLED)).toEqual([]);
  });
});

describe('the alarms on the expiry', () => {
  /** Every quarter of an hour from the first minute on, as the schedule starts it. */
  const each = (metric: string, ...spans: readonly Span[]): Script => ({
    GroupInServiceInstances: () => 8,
    RunActive: () => 1,
    [metric]: (minute) =>
      minute % 15 === 2 && spans.some(([from, to]) => minute >= from && minute < to) ? 1 : undefined,
  });
  const DAY = 24 * HOUR;
  const SILENT = 'ExpirySilent';

  test.each([1, 2, 3, 4])(
    'are silent while it looks every quarter of an hour, %i periods looked at beyond',
    (morePeriods) => {
      const looks = happens(data, each('ExecutionsSucceeded', [0, DAY]), { minutes: DAY, morePeriods, lateMinutes: 3 });
      for (const alarm of ['ExpiryFailed', 'ExpiryTimedOut', SILENT])
        expect([alarm, told(looks, alarm)]).toEqual([alarm, []]);
    },
  );

  test('a schedule that may not start it is told about two hours after clients are there, and every four again', () => {
    const script = { GroupInServiceInstances: () => 8, RunActive: () => 1 };
    expect(told(happens(data, script, { minutes: 14 * HOUR, startHour: 9 }), SILENT)).toEqual([120, 190, 430, 670]);
  });

  test('one that is switched off later is told about within two hours', () => {
    const [first] = told(happens(data, each('ExecutionsSucceeded', [0, 5 * HOUR]), { minutes: 10 * HOUR }), SILENT);
    expect(first).toBeGreaterThan(6 * HOUR);
    expect(first).toBeLessThanOrEqual(7 * HOUR);
  });

  test('nobody is told while nothing is there that costs money', () => {
    expect(told(happens(data, { RunActive: () => 1 }, { minutes: DAY }), SILENT)).toEqual([]);
  });

  test.each([
    ['ExpiryFailed', 'ExecutionsFailed'],
    ['ExpiryTimedOut', 'ExecutionsTimedOut'],
  ])('%s goes off at once, and once while each hourly attempt fails', (alarm, metric) => {
    const hourly = (minute: number) => (minute >= 200 && minute < 500 && minute % 60 === 30 ? 1 : undefined);
    const transitions = happens(data, { ...each('ExecutionsSucceeded', [0, DAY]), [metric]: hourly }, { minutes: DAY });
    const [time, ...more] = told(transitions, alarm);
    expect(more).toEqual([]);
    expect(time).toBeGreaterThan(210);
    expect(time).toBeLessThanOrEqual(225);
    expect(statesOf(transitions, alarm).at(-1)).toMatch(/OK$/);
  });
});

/** Alarms on a level: the metric with its level in good times and when it breaches, and how long that must last. */
const LEVELS: readonly (readonly [string, Resources, string, { good: number; bad: number; minutes: number }])[] = [
  ['Capacitynone', data, 'StorageCapacityUtilization', { good: 50, bad: 91, minutes: 3 }],
  ['Capacitylz4', data, 'StorageCapacityUtilization', { good: 50, bad: 91, minutes: 3 }],
  ['Networknone', data, 'NetworkThroughputUtilization', { good: 80, bad: 97, minutes: 15 }],
  ['Networklz4', data, 'NetworkThroughputUtilization', { good: 80, bad: 97, minutes: 15 }],
  ['Disknone', data, 'FileServerDiskThroughputUtilization', { good: 80, bad: 97, minutes: 15 }],
  ['Disklz4', data, 'FileServerDiskThroughputUtilization', { good: 80, bad: 97, minutes: 15 }],
  ['Capacityp25012000', metadata, 'StorageCapacityUtilization', { good: 50, bad: 91, minutes: 3 }],
  ['Networkp25012000', metadata, 'NetworkThroughputUtilization', { good: 80, bad: 97, minutes: 15 }],
  ['Diskp25012000', metadata, 'FileServerDiskThroughputUtilization', { good: 80, bad: 97, minutes: 15 }],
  ['MetadataCpup25012000', metadata, 'CPUUtilization', { good: 70, bad: 95, minutes: 15 }],
  // 12,000 a second are 720,000 a minute.
  ['MetadataIops0p25012000', metadata, 'DiskWriteOperations', { good: 400_000, bad: 700_000, minutes: 15 }],
  ['CapacityFileSystem', foreign, 'StorageCapacityUtilization', { good: 50, bad: 91, minutes: 3 }],
  ['NetworkFileSystem', foreign, 'NetworkThroughputUtilization', { good: 80, bad: 97, minutes: 15 }],
  ['DiskFileSystem', foreign, 'FileServerDiskThroughputUtilization', { good: 80, bad: 97, minutes: 15 }],
  ['MetadataCpuFileSystem', foreign, 'CPUUtilization', { good: 70, bad: 95, minutes: 15 }],
  ['MetadataIops0FileSystem', foreign, 'DiskWriteOperations', { good: 400_000, bad: 700_000, minutes: 15 }],
];

describe.each(LEVELS)('%s', (alarm, resources, metric, { good, bad, minutes }) => {
  /** DiskReadOperations are there as well; the other arm is well at all times. */
  const script = (level: (minute: number) => number | undefined): Script => ({
    DiskReadOperations: () => 1000,
    [metric]: (minute, { FileSystemId = '' }) =>
      FileSystemId === FILE_SYSTEM ||
      FileSystemId.replace(/[0-9A-F]{8}$/, '').endsWith(alarm.replace(/^[A-Z][a-z]+(Cpu|Iops\d)?/, ''))
        ? level(minute)
        : good,
  });
  const when = (level: (minute: number) => number | undefined) => happens(resources, script(level), { minutes: 180 });

  test('is told once while it lasts, after as many minutes as it says, and goes back', () => {
    const transitions = when((minute) => (minute >= 60 && minute < 120 ? bad : good));
    expect(told(transitions, alarm)).toEqual([60 + minutes]);
    expect(statesOf(transitions, alarm).at(-1)).toBe('121 OK');
  });

  test('is silent in good times, where nothing is published, and when it lasts for too short a time', () => {
    for (const level of [() => good, () => undefined, (minute: number) => (minute % 20 < minutes - 1 ? bad : good)]) {
      expect(told(when(level), alarm)).toEqual([]);
    }
  });

  test('is told a second time when it happens again', () => {
    const twice = (minute: number) => ((minute >= 30 && minute < 60) || minute >= 120 ? bad : good);
    expect(told(when(twice), alarm)).toEqual([30 + minutes, 120 + minutes]);
  });
});

test('a target that was full still is when FSx publishes nothing, and is not told about again', () => {
  const full = (minute: number) => (minute > 30 && minute < 40 ? undefined : 95);
  const transitions = happens(data, { StorageCapacityUtilization: full }, { minutes: 120 });
  expect(statesOf(transitions, 'Capacitynone')).toEqual(['3 ALARM']);
});

test('every alarm that tells somebody has its scenarios here', () => {
  for (const resources of [data, metadata, foreign]) {
    const all = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap((type) =>
      ofType(resources, type),
    );
    const telling = all
      .filter(([, { Properties }]) => (Properties.AlarmActions ?? []).length > 0)
      .map(([id]) => bare(id));
    const shown = LEVELS.filter(([, of]) => of === resources).map(([alarm]) => alarm);
    const ofStack =
      resources === foreign
        ? []
        : ['IdleFleetForgotten', 'StalledOnEveryArm', 'ExpiryFailed', 'ExpiryTimedOut', 'ExpirySilent'];
    expect(telling.sort()).toEqual([...shown, ...ofStack].sort());
  }
});
