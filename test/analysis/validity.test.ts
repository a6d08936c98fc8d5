import { summarise } from '../../lib/analysis/summary';
import { RULES, type RuleOutcome } from '../../lib/analysis/validity';
import { stonewallWearOut } from '../../lib/analysis/validity/phases';
import type { Step } from '../../lib/schema/plan';
import type { Sample } from '../../lib/schema/sample';
import type { RunRecord } from '../../lib/store/record';
import { modelledRun } from '../report/modelledRun';
import { CASES, found, isMeasured, scaled, shortened, states, withEnds, withLoad } from './faultyRuns';
import { soundRun, withMetric, withSamples } from './runs';

/** Each pass says what it could have found, with a figure; each of the others why it did not pass. */
function expectStatements(checks: readonly RuleOutcome[]): void {
  for (const { id, couldFind, reason } of checks) {
    expect([id, couldFind ?? reason]).toEqual([id, expect.stringMatching(/\S+ \S+/)]);
    expect(`${couldFind ?? ''}${reason ?? ''}`).not.toMatch(/NaN|undefined|Infinity/);
    if (couldFind !== null && id !== 'maintenance-window')
      expect([id, couldFind]).toEqual([id, expect.stringMatching(/\d/)]);
  }
}

/** What the first issue of each case says, in the order of the cases: its place, its message, and what was expected and found. */
const SAYS = [
  'r1-c1-write, r1-c1-read, r1-c2.6-write, and 13 more: none, lz4: 10.0.0.1 ran other work during 16 measured phases, so their rates may be too low: just before or after, others took 98 % of its CPU time (sh). Expected less than 10 % of the CPU time for others, and less than 5 % of the time waiting for memory; found load average 4.60 on 4 CPUs, 40 % busy, 35 % with the tool, processes waited for a CPU 2 % of the time; 0 more',
  'r1-c1-write, r1-c1-read, r1-c2.6-write, and 13 more: none, lz4: 10.0.0.1 ran other work during 16 measured phases, so their rates may be too low: all processes waited for memory 20 % of the time. Expected less than 10 % of the CPU time for others, and less than 5 % of the time waiting for memory; found load average 1.20 on 4 CPUs, 40 % busy, 35 % with the tool, processes waited for a CPU 2 % of the time; 0 more',
  'r1-c1-write, r1-c2.6-write, r2-c1-write, and 5 more: none, write at 1:1: the underlying device moved 588 GiB more than the tool, so others may have used it. Expected 980 GiB by the tool, and at most 25 % and 64 MiB more; found 0 B read and 1.53 TiB written in r1-c1-write; 1 more',
  'r1-c1-write, r1-c2.6-write, r2-c1-write, and 5 more: none, write at 1:1: the underlying device moved 588 GiB more than the tool, so others may have used it. Expected 980 GiB by the tool, and at most 25 % and 64 MiB more; found 588 GiB read and 980 GiB written in r1-c1-write; 1 more',
  'r1-c1-read, r1-c2.6-read, r2-c1-read, and 5 more: none, read at 2.6:1: the underlying device delivered far less than the tool read, so the rest came from memory. Expected at least 969 GiB read from the device; found 53.8 GiB in r4-c2.6-read, in which the tool read 1.05 TiB; 1 more',
  'r1-c1-write, r1-c1-read, r1-c2.6-write, and 13 more: 32 of 32 measured phases were too short for one-minute metrics to confirm them. Expected at least 300 s; found 4 min 10 s in the shortest; 0 more',
  'none, write at 1:1; lz4, write at 1:1; none, write at 2.6:1; lz4, write at 2.6:1: All data fit into memory, so reads may not have reached the disks. Expected more than 511 GiB (4 clients and the servers); found 189 GiB in lz4, write at 1:1; 0 more',
  'none: none, read at 1:1: faster than the clients’ network, so the data came from a cache. Expected at most 25,000 MB/s (4 × 6,250 MB/s); found 30,832 MB/s; 3 more',
  'none: none, write at 2.6:1: faster than the documented burst of the disks, so something else may have been measured. Expected at most 3,456 MB/s in a burst (200, in a burst 240 MB/s for each 1000 of 14400 GiB (https://docs.aws.amazon.com/fsx/latest/LustreGuide/ssd-storage.html)); found 7,701 MB/s, 223 % of it; 0 more',
  'lz4: lz4: the service counted 40.4 % less of read than the clients; a cache served or kept the rest. Expected 14.5 TiB in DataReadBytes, as the clients count it, within 5 %; found 8.62 TiB; 0 more',
  'none: none: the service counted 50 % less of file_create than the clients; the rest did not happen on this file system. Expected 300,000 files in FileCreateOperations, as the clients count it, within 5 %; found 150,000 files; 1 more',
  'none: none: the service counted 50 % less of dir_create than the clients; the rest did not happen on this file system. Expected 300,000 directories in DirectoryCreateOperations, as the clients count it, within 5 %; found 150,000 directories; 1 more',
  'none: none: the service counted 10 % less of file_remove than the clients; the rest did not happen on this file system. Expected 300,000 files in FileDeleteOperations, as the clients count it, within 5 %; found 270,000 files; 1 more',
  'none: none: the service counted 50 % less of dir_remove than the clients; the rest did not happen on this file system. Expected 300,000 directories in DirectoryDeleteOperations, as the clients count it, within 5 %; found 150,000 directories; 1 more',
  'none: none: the service counted 30 % more of file_create than the clients of this run. Expected 300,000 files in FileCreateOperations, at most 10 % more; found 390,000 files; 1 more',
  'r1-c1-write: none, file_create: too short for the tool’s clock, so rates may be off by 25 %, and vary more than they show. Expected at least 20 ms for a clock that counts in steps of 1 ms; found 4 ms in r1-c1-write; 1 more',
  'r1-c2.6-read, r2-c1-write, r2-c1-read, and 4 more: lz4: 7 of its measured phases were in its weekly maintenance window, during which it may have stalled. Expected phases outside of maintenance; found maintenance on Saturday 09:22 UTC, from 21 Nov 2026, 09:22:00 UTC; 0 more',
  'lz4: lz4: its service was still changing it when the run began, which takes throughput from the clients. Expected a file system at rest; found FILE_SYSTEM_UPDATE, STORAGE_OPTIMIZATION (37 %); 0 more',
  'none: none: the service counted 39.4 % more of write than the clients of this run. Expected 7.83 TiB in DataWriteBytes, at most 10 % more; found 10.9 TiB; 1 more',
  'lz4: lz4, space at 2.6:1: data compressed 3.20:1. Expected 2.46:1 to 2.60:1, within 10 %; found 3.20:1; 0 more',
  'none: none, space at 2.6:1, repeat 1: the used space of the file system grew by 141 GiB, but the files take 400 GiB by du. Expected growth of 400 GiB, within 10 % or 64 MiB; found 141 GiB; 3 more',
  'r3-c1-write, r3-c1-read, r3-c2.6-write, and 1 more: none: other clients or processes than planned in 4 measured phases. Expected 4 clients, 144 processes, as the plan says; found 3 clients; ior counted 108 processes in r3-c1-write; 1 more',
  'all: The clients booted different images, so kernels and Lustre clients may differ. Expected one image; found 3 × ami-0a, 1 × ami-0b; 0 more',
  'r3-c1-write, r3-c1-read, r3-c2.6-write, and 1 more: none: other clients or processes than planned in 4 measured phases. Expected 4 clients, 144 processes, as the plan says; found 4 clients; ior counted 36 processes in r3-c1-write; 1 more',
  'r1-c1-write, r1-c1-read, r1-c2.6-write, and 13 more: lz4: other clients or processes than planned in 16 measured phases. Expected 4 clients, 144 processes, as the plan says; found 4 clients; ior counted 288 processes in r1-c1-write; 0 more',
  'r1-c1-write, r1-c1-read, r1-c2.6-write, and 13 more: none: other clients or processes than planned in 16 measured phases. Expected 4 clients, 144 processes, as the plan says; found 4 clients; ior counted 144 processes on 1 node in r1-c1-write; 1 more',
  'r1-c1-write, r2-c1-write, r3-c1-write, and 1 more: lz4, write at 1:1: 4 phases moved at most 80 % of the planned bytes, though 144 processes took part. Expected 947 GiB by its rate and its time, within 5 %; found 758 GiB; 3 more',
  'r2-c1-write on none, r2-c1-write on lz4, r2-c1-read on none, and 5 more: In 8 of 8 phases, some processes ran long past the time limit. The rate is based on the time of the slowest. Expected an end at 5 min, at most 6 min; found 7 min in the longest; 0 more',
  'r2-c1-write on none: none, write at 1:1: in 1 of 4 measurements, the first of the processes finished long before the last. The rate is based on the time of the last. Expected the last at most 20 % of its time, or 10 s, after the first; found the first after 3 min, the last after 5 min; 7 more',
  'r2-c1-write on none: none, write at 1:1: in 1 of 4 measurements, one of the processes had moved less than half the bytes of another at the time limit. Expected at most 2 times as much by the fastest as by the slowest; found 2.79 GiB and 954 MiB; 7 more',
  'lz4, write at 1:1; lz4, read at 1:1: 2 of 2 comparisons are inconclusive: the smallest detectable difference in lz4, write at 1:1 is 31.8 %. Expected a variance at which 4 pairs detect 10 %; found ratios that vary by 10.2 % from pair to pair; 0 more',
  'lz4: lz4, write: throughput fell by 10.0 % at 21 Nov 2026, 13:03:38 UTC and stayed there, as it does when burst credits are spent. Expected one level, or burst and baseline measured separately; found 1.05, then 0.947 times the usual rate; 1 more',
  'none: none, write: throughput fell slowly, by 12.2 % over the repeats. Expected one level from beginning to end; found from 1.06 to 0.935 times the usual rate; 3 more',
  'all: all arms, write at 1:1: measured with different tools, versions or patterns. Expected one of each; found ior 3.3.0 ior-incompressible; ior 4.0.0 ior-incompressible; 1 more',
];

describe('the rules of validity', () => {
  test('have nothing to say about a sound run, and each of them that applies passes', () => {
    const record = soundRun();
    expect(found(record)).toEqual([]);
    expect(summarise(record).validity).toBe('VALID');
    const passed = Object.entries(states(record)).filter(([, state]) => state !== 'passed');
    expect(passed).toEqual([
      ['creates-not-counted-by-service', 'does not apply'],
      ['removes-not-counted-by-service', 'does not apply'],
      ['busy-client', 'inconclusive'],
      ['other-writers', 'does not apply'],
      ['read-from-cache', 'does not apply'],
      ['free-space-disagrees', 'does not apply'],
      ['missing-bytes', 'inconclusive'],
      ['missing-targets', 'does not apply'],
      ['target-changed', 'does not apply'],
      ['mixed-images', 'does not apply'],
      ['stonewall-wear-out', 'does not apply'],
      ['stragglers', 'does not apply'],
      ['coarse-clock', 'does not apply'],
      ['dependent-repeats', 'inconclusive'],
      ['burst-credits', 'inconclusive'],
      ['throughput-drift', 'inconclusive'],
      ['outliers', 'inconclusive'],
    ]);
  });

  test('want no phases of five minutes on an arm that no service has by an id', () => {
    const short = shortened(soundRun(), 250);
    expect(states(short)['phase-too-short']).toBe('found');
    const arms = short.manifest?.arms.map((arm) => ({ ...arm, fileSystemId: null, describe: null })) ?? [];
    const record = { ...short, manifest: short.manifest && { ...short.manifest, arms } };
    expect(states(record)['phase-too-short']).toBe('does not apply');
  });

  test.each(CASES)('%s: %s and nothing else', (name, issue, record) => {
    expect(found(record)).toEqual([issue]);
    const { validity, issues, analysis } = summarise(record);
    const [first, ...rest] = issues.filter(({ severity }) => severity !== 'note');
    expect(
      `${first?.where ?? 'all'}: ${first?.message} Expected ${first?.expected}; found ${first?.actual}; ${rest.length} more`,
    ).toBe(SAYS[CASES.findIndex(([one]) => one === name)]);
    expectStatements(analysis.checks);
    expect(validity).toBe(issue.startsWith('error') ? 'INVALID' : 'WARN');
    for (const one of issues) {
      expect(one.message).toMatch(/\.$/);
      expect(`${one.message}${one.expected}${one.actual}`).not.toMatch(/NaN|undefined|null|Infinity/);
    }
  });

  test('say that on an arm that compresses, others can move what compression saves, unseen', () => {
    const ofWrites = (arms: readonly string[]) => {
      const record = withLoad({}, ({ operation, value, arm }) =>
        operation === 'write' && arms.includes(arm ?? '') ? { read: 0, written: (value ?? 0) / 4 } : null,
      );
      return summarise(record).analysis.checks.find(({ id }) => id === 'other-writers')?.couldFind ?? '';
    };
    expect(ofWrites(['none'])).toMatch(/^more than 25 % and 64 MiB in addition to the tool’s bytes in any of \d+ /);
    const [, found, hidden] =
      /^more than ([\d.]+) % and .*, of which compression hides up to ([\d.]+) %$/.exec(ofWrites(['none', 'lz4'])) ??
      [];
    expect(Number(hidden)).toBeGreaterThan(10);
    expect(Number(found)).toBeCloseTo(25 + Number(hidden), 0);
  });

  test.each([1, 4])('tell of several phases the worst, which is that of repeat %d', (worst) => {
    const weight = ({ repeat }: Sample): number => (repeat === worst ? 2 : 1);
    const written = (sample: Sample): boolean => isMeasured(sample) && sample.operation === 'write';
    const faster = withSamples(soundRun(), (sample) =>
      written(sample) && sample.metric === 'throughput' ? { ...sample, value: 40_000 * weight(sample) } : sample,
    );
    const beside = withLoad({}, (sample) =>
      written(sample) ? { read: 1e12 * weight(sample), written: sample.value ?? 0 } : null,
    );
    const fromMemory = withLoad({}, (sample) => ({ read: 4e6 / weight(sample), written: sample.value ?? 0 }));
    const busy = withSamples(withLoad({ names: ['sh'] }), (sample) => ({
      ...sample,
      load: sample.load?.map((load) => ({ ...load, others: 0.4 * weight(sample), loadAverage: 4 * weight(sample) })),
    }));
    const late = withEnds(soundRun(), (sample) => ({ first_done: 250 - 100 * weight(sample), last_done: 300 }));
    const uneven = withEnds(soundRun(), (sample) => ({ least_bytes: 4e6 / weight(sample), most_bytes: 1e9 }));
    const told = (record: RunRecord, rule: string) =>
      summarise(record).issues.flatMap(({ id, actual }) => (id === rule ? actual : []))[0];
    // Rates may be as predicted all the same.
    expect(summarise(busy).issues.find(({ id }) => id === 'busy-client')?.message).toMatch(/ rates may be too low: /);
    expect([
      told(faster, 'faster-than-network'),
      told(beside, 'other-writers'),
      told(fromMemory, 'read-from-cache'),
      told(busy, 'busy-client'),
      told(late, 'stragglers'),
      told(uneven, 'stragglers'),
    ]).toEqual([
      '83,886 MB/s',
      expect.stringMatching(/^1\.82 TiB read and .* in r\d-/),
      expect.stringMatching(/^1\.91 MiB in /),
      expect.stringMatching(/^load average 8 on /),
      'the first after 50 s, the last after 5 min',
      '954 MiB and 1.91 MiB',
    ]);
  });

  test.each([
    ['of the warm-up', ({ phase }: Sample) => phase !== 'measure'],
    ['without a value', ({ value }: Sample) => value === null],
  ])('take no version from samples %s, which are compared with nothing', (_, isOther) => {
    const sound = soundRun();
    const other = { ...(sound.samples.find(isMeasured) as Sample), arm: 'lz4', value: null, reason: 'killed' };
    const run = withSamples({ ...sound, samples: [...sound.samples, other] }, (sample) =>
      isOther(sample) ? { ...sample, toolVersion: '4.0.0' } : sample,
    );
    expect(run.samples.some(({ toolVersion }) => toolVersion === '4.0.0')).toBe(true);
    expect(found(run)).not.toContain('error mixed-tool-versions');
  });

  test('are each tripped by one of these runs, but for those that only note', () => {
    const tripped = new Set(CASES.map(([, issue]) => issue.split(' ')[1]));
    const unnoticed = RULES.map(({ id }) => id).filter((id) => !tripped.has(id));
    expect(unnoticed).toEqual([
      // test/analysis/validity/amounts.test.ts
      'missing-targets',
      'target-changed',
      'dependent-repeats',
      'outliers',
    ]);
  });

  test('say of each pass what it could have found, with a figure, and of what cannot be told what would do', () => {
    const { checks } = summarise(soundRun()).analysis;
    expectStatements(checks);
    expect(checks.find(({ id }) => id === 'burst-credits')?.reason).toMatch(
      /write on none: 8 values can only show a fall of [\d.]+ % or more; \d+ would show one of 10 %/,
    );
  });

  test('do not take a rate above the documented baseline for one that lasts, however level it is', () => {
    const { checks } = summarise(soundRun({ repeats: 12, variation: 0.002 })).analysis;
    const credits = checks.find(({ id }) => id === 'burst-credits');
    expect(credits?.state).toBe('inconclusive');
    expect(credits?.reason).toContain('to the end, above the 2,880 MB/s that the disks are documented to sustain');
    expect(checks.find(({ id }) => id === 'throughput-drift')?.state).toBe('passed');
  });

  test('take ranks that only the plan counted for no proof that they were there', () => {
    const silent = withSamples(soundRun(), (sample) => (isMeasured(sample) ? { ...sample, ranks: null } : sample));
    expect(states(silent)['missing-ranks']).toBe('inconclusive');
  });

  test('name outliers, keep them, and warn of none', () => {
    const record = withSamples(soundRun({ repeats: 9 }), (sample) =>
      isMeasured(sample) && sample.step === 'r4-c1-write' && sample.arm === 'none' && sample.value !== null
        ? { ...sample, value: sample.value * 1.03 }
        : sample,
    );
    const { issues, cells } = summarise(record);
    expect(
      issues.filter(({ id }) => id === 'outliers').map(({ severity, actual }) => [severity, actual]),
    ).toContainEqual(['note', expect.stringMatching(/^3,6\d\d in repeat 4$/)]);
    expect(cells.find(({ arm, compressibility }) => arm === 'none' && compressibility === 1)?.count).toBe(9);
  });

  test('say what they could not check, once, and do not take it for passed', () => {
    const record = soundRun({ withMetrics: false });
    expect(found(record)).toEqual([]);
    const note = summarise(record).issues.find(({ id }) => id === 'not-checked');
    expect([note?.severity, note?.where]).toEqual(['note', expect.stringContaining('by-service, background-load')]);
    expect(summarise(record).analysis.checks.find(({ id }) => id === 'background-load')).toMatchObject({
      state: 'not checked',
      reason: expect.stringContaining('none, lz4: DataWriteBytes: not collected; run npx fsxbench collect'),
    });
  });

  test('take work on the servers, which no client asked for, for no bytes that the service missed', () => {
    const record = soundRun();
    const [step] = record.plan?.steps.filter(({ phase }) => phase === 'measure') ?? [];
    const action = { ...step?.tasks[0]?.action, tool: 'rung', command: ['{server}', 'rung', 'raw', 'write', '5', '2'] };
    const earlier = (time: string): string => new Date(Date.parse(time) - 36e5).toISOString();
    const baseline = record.samples
      .filter((sample) => sample.step === step?.id && sample.source === 'client')
      .map((sample): Sample => {
        const times = { startedAt: earlier(sample.startedAt), endedAt: earlier(sample.endedAt) };
        return { ...sample, ...times, step: 'baseline-raw', phase: 'setup', repeat: 0, tool: 'rung' };
      });
    expect(baseline.length).toBeGreaterThan(0);
    const judged = (command: readonly string[]) => {
      const own = {
        ...step,
        id: 'baseline-raw',
        phase: 'setup',
        tasks: [{ ...step?.tasks[0], action: { ...action, command } }],
      };
      const steps = [own as Step, ...(record.plan?.steps ?? [])];
      const run = {
        ...record,
        samples: [...baseline, ...record.samples],
        plan: record.plan && { ...record.plan, steps },
      };
      return states(run)['bytes-not-counted-by-service'];
    };
    expect(judged(action.command)).toBe('passed');
    expect(judged(['fio'])).toBe('found');
  });

  test('hold nothing against the lab that only AWS can show', () => {
    const { checks } = summarise(soundRun({ lab: true })).analysis;
    const unchecked = checks.filter(({ state }) => state === 'not checked').map(({ id }) => id);
    expect(unchecked).toEqual(
      expect.arrayContaining([
        'phase-too-short',
        'faster-than-network',
        'bytes-not-counted-by-service',
        'background-load',
      ]),
    );
  });

  test('want long phases only of arms whose service publishes metrics', () => {
    const short = shortened(soundRun(), 250);
    const onInstanceStores = (...names: string[]): RunRecord => ({
      ...short,
      manifest: short.manifest && {
        ...short.manifest,
        arms: short.manifest.arms.map((arm) => (names.includes(arm.name) ? { ...arm, kind: 'instance-store' } : arm)),
      },
    });
    const phases = (record: RunRecord) => states(record)['phase-too-short'];
    expect(phases(onInstanceStores())).toBe('found');
    expect(phases(onInstanceStores('none'))).toBe('found');
    expect(phases(onInstanceStores('none', 'lz4'))).toBe('does not apply');
  });

  test('do not hold little data against the scale model, nor against a run that read nothing back', () => {
    const of = (record: RunRecord) => states(record)['data-fit-in-memory'];
    const small = scaled(soundRun(), 0.2);
    const { samples } = soundRun();
    const once = small.samples.map((sample, at) => (sample.repeat === 2 ? sample : samples[at])) as Sample[];
    expect(of({ ...small, samples: once })).toBe('found');
    expect(of(modelledRun(1000))).toBe('not checked');
    expect(of({ ...small, samples: small.samples.filter(({ operation }) => operation !== 'read') })).toBe(
      'does not apply',
    );
  });

  test('count a failed task’s bytes on neither side', () => {
    const record = soundRun({ failing: ['r2-c1-write'] });
    expect(found(record)).toEqual(['warning missing-values']);
  });

  test('count what else a run did on an arm on neither side: a program may write what nobody has counted', () => {
    const record = withMetric(soundRun(), 'DataWriteBytes', (arm) => (arm === 'lz4' ? 1.4 : 1));
    expect(found(record)).toEqual(['error background-load']);
    const programs = record.samples
      .filter(({ source, operation, arm }) => source === 'client' && operation === 'write' && arm === 'lz4')
      .map((sample) => ({ ...sample, operation: 'run', tool: 'command', metric: 'seconds', unit: 's' }));
    expect(states({ ...record, samples: [...record.samples, ...programs] })['background-load']).toBe('passed');
  });

  describe('tasks that are shorter than a period', () => {
    /** Each measured write as so many of 30 s, so far apart, at the same bytes in all. */
    const inPieces = (pieces: number, apartSeconds: number): RunRecord => {
      const sound = soundRun({ compressibilities: [1] });
      const samples = sound.samples.flatMap((sample): Sample[] => {
        if (sample.source !== 'client') return [sample];
        if (!isMeasured(sample) || sample.operation !== 'write') return [];
        return Array.from({ length: pieces }, (_, piece) => {
          const from = Date.parse(sample.startedAt) + piece * apartSeconds * 1000;
          const value = sample.metric === 'bytes' && sample.value !== null ? sample.value / pieces : sample.value;
          const times = { startedAt: new Date(from).toISOString(), endedAt: new Date(from + 30_000).toISOString() };
          return { ...sample, ...times, value, step: `${sample.step}-${piece}` };
        });
      });
      return { ...sound, samples };
    };
    const byBytes = (record: RunRecord) => states(record)['bytes-not-counted-by-service'];

    test('are compared where they follow one another', () => {
      expect(byBytes(inPieces(10, 30))).toBe('passed');
      expect(byBytes(withMetric(inPieces(10, 30), 'DataWriteBytes', () => 0.5))).toBe('found');
    });

    test('are not where each stands alone', () => {
      // Repeats begin every 604 s.
      expect(byBytes(inPieces(2, 302))).toBe('not checked');
    });
  });

  test('leave out a task whose last period is that of something unknown, not half of its bytes', () => {
    const sound = soundRun({ compressibilities: [1] });
    const late = (sample: Sample): Sample =>
      isMeasured(sample) && sample.operation === 'write'
        ? { ...sample, endedAt: new Date(Date.parse(sample.endedAt) - 30_000).toISOString() }
        : sample;
    // 70 s after its end: further than a period, and still in the last minute that its end touches, widened by one.
    const programs = sound.samples
      .filter((sample) => isMeasured(sample) && sample.operation === 'write' && sample.repeat === 1)
      .map((sample) => ({
        ...sample,
        operation: 'run',
        tool: 'command',
        metric: 'seconds',
        unit: 's',
        step: `${sample.step}-program`,
        startedAt: new Date(Date.parse(sample.endedAt) + 40_000).toISOString(),
        endedAt: new Date(Date.parse(sample.endedAt) + 50_000).toISOString(),
      }));
    const record = withSamples(sound, late);
    expect(states({ ...record, samples: [...record.samples, ...programs] })).toMatchObject({
      'bytes-not-counted-by-service': 'passed',
    });
  });

  test('count what a study’s loops write, and not what they may read from memory', () => {
    const loops: Readonly<Record<string, string>> = { write: 'create_large_file', read: 'read_large_file' };
    const asLoop = (sample: Sample): Sample =>
      sample.source !== 'client' || sample.metric !== 'bytes'
        ? {
            ...sample,
            operation: loops[sample.operation] ?? sample.operation,
            tool: 'dd',
            metric: 'seconds',
            unit: 's',
          }
        : { ...sample, operation: loops[sample.operation] ?? sample.operation, tool: 'dd' };
    const judged = (record: RunRecord) => {
      const { 'bytes-not-counted-by-service': missing, 'background-load': foreign } = states(record);
      return [missing, foreign];
    };
    const sound = soundRun();
    for (const record of [
      withSamples(sound, asLoop),
      {
        ...sound,
        samples: [...sound.samples, ...sound.samples.filter(({ operation }) => operation === 'read').map(asLoop)],
      },
    ]) {
      expect(judged(record)).toEqual(['passed', 'passed']);
      expect(judged(withMetric(record, 'DataWriteBytes', () => 0.5))).toEqual(['found', 'passed']);
      expect(judged(withMetric(record, 'DataWriteBytes', () => 1.4))).toEqual(['passed', 'found']);
      expect(judged(withMetric(record, 'DataReadBytes', () => 0))).toEqual(['passed', 'passed']);
    }
  });

  test('answer what the plan feared once the run has shown it', () => {
    const record = soundRun();
    const feared = {
      id: 'phase-too-short',
      severity: 'warning',
      message: 'x.',
      expected: '300 s',
      actual: '?',
    } as const;
    const plan = record.plan && { ...record.plan, issues: [feared] };
    expect(found({ ...record, plan })).toEqual([]);
    expect(found({ ...soundRun({ lab: true }), plan, environment: [] })).toContain('warning phase-too-short');
  });
});

test('IOR’s default on records of 1 MiB is on compressibility; on the 4 KiB that a shared file may be left with, it is not', () => {
  // 3.93:1 was read back on a Lustre 2.15.8 with such records, 2.85:1 from a file that two ranks shared.
  const reached = (value: number) =>
    withSamples(soundRun({ compressibilities: [1, 3.5] }), (sample) =>
      sample.arm === 'lz4' && sample.compressibility === 3.5
        ? {
            ...sample,
            ...(sample.metric === 'compression_ratio' ? { value } : {}),
            ...(isMeasured(sample) ? { tool: 'ior', toolVersion: '3.3.0', pattern: 'ior-default' } : {}),
          }
        : sample,
    );
  const off = (value: number) =>
    summarise(reached(value)).issues.filter(({ id, where }) => id === 'compressibility-off-target' && where === 'lz4');
  expect(off(3.93)).toEqual([]);
  expect(off(3.56)).toEqual([]);
  expect(off(2.85)).toMatchObject([{ severity: 'warning', expected: '3.50:1 to 3.94:1, within 10 %' }]);
  expect(off(4.5)).toHaveLength(1);
});

test.each([
  // A fifth of the limit, or ten seconds where that is more.
  [10, 19, 'passed'],
  [10, 21, 'found'],
])('a phase of %d s whose last process ended after %d s: processes that end late are %s', (seconds, took, state) => {
  const answer = stonewallWearOut.check({
    plan: { parameters: { seconds } },
    measured: [{ operation: 'write', seconds: took }],
  } as never);
  expect(answer).toMatchObject({ state: 'judged', findings: state === 'found' ? [expect.anything()] : [] });
});

test('what each check could find, or why it found nothing, in all cases', () => {
  const unmetered = { ...soundRun(), metrics: [] };
  const runs = [
    soundRun(),
    ...CASES.map(([, , run]) => run),
    soundRun({ repeats: 24, compressibilities: [1] }),
    unmetered,
  ];
  const more = [
    { ...unmetered, plan: null },
    { ...unmetered, manifest: null },
  ];
  const told = [...runs, ...more].flatMap((run) =>
    summarise(run).analysis.checks.map(({ id, couldFind, reason }) => `${id}: ${couldFind ?? reason}`),
  );
  // Each sentence once, with the figures of the first run that says it.
  const bare = told.map((text) => text.replace(/[\d.,]/g, ''));
  expect(told.filter((_, at) => bare.indexOf(bare[at] as string) === at)).toEqual([
    'phase-too-short: a phase of less than 4 min 45 s among 32 phases',
    'data-fit-in-memory: data that fit into memory in any of 4 combinations of arm and compressibility',
    'faster-than-network: a rate above 25,000 MB/s in any of 32 phases; a cache that is slower than that looks like the network',
    'faster-than-documented: a rate above 115 % of the documented burst in any of 8 combinations of arm, operation and compressibility',
    'bytes-not-counted-by-service: a count by the service that is more than 5 % too low in any of 34 groups of up to 2 adjacent phases: DataWriteBytes of none, lz4; DataReadBytes of none, lz4',
    'creates-not-counted-by-service: the run did no such operation',
    'removes-not-counted-by-service: the run did no such operation',
    'background-load: background load above 10 % in any of 34 groups of up to 2 adjacent phases: DataWriteBytes of none, lz4; DataReadBytes of none, lz4',
    'busy-client: not every client’s load was sampled: its scripts are too old, or it did not answer',
    'other-writers: no arm is on a client’s own device whose bytes the kernel counts',
    'read-from-cache: no arm is on a client’s own device whose bytes the kernel counts',
    'maintenance-window: a phase in the window of none or lz4',
    'changing-file-system: a change in progress on any of 2 file systems',
    'compressibility-off-target: a ratio more than 10 % off in any of 4 combinations of arm and compressibility',
    'free-space-disagrees: free space was not read before and after',
    'missing-ranks: a missing or extra process in any of 32 measured phases; nodes were counted in none of them',
    'missing-bytes: 32 of 32 phases: ior printed no bytes or no time; fio printed no bytes or no time',
    'missing-targets: no file system here has targets',
    'target-changed: no file system here has targets',
    'mixed-images: no client of the run has a recorded image',
    'stonewall-wear-out: no phase was timed by a tool',
    'stragglers: the tool’s output has no time at which the first process finished',
    'coarse-clock: no tool printed times in coarse steps',
    'spread-hides-difference: too much variance to show 10 % in any of 4 comparisons',
    'dependent-repeats: 4 repeats of each comparison, and 8 are needed; the intervals assume independent repeats',
    'burst-credits: write on none: 8 values can only show a fall of 45.3 % or more; 12 would show one of 10 %; write on lz4: 8 values can only show a fall of 55.2 % or more; 12 would show one of 10 %; read on none: 8 values can only show a fall of 15.6 % or more; 12 would show one of 10 %; read on lz4: 8 values can only show a fall of 64.4 % or more; 12 would show one of 10 %',
    'throughput-drift: write on none: 8 values can only show a fall of 45.3 % or more; 12 would show one of 10 %; write on lz4: 8 values can only show a fall of 55.2 % or more; 12 would show one of 10 %; read on none: 8 values can only show a fall of 15.6 % or more; 12 would show one of 10 %; read on lz4: 8 values can only show a fall of 64.4 % or more; 12 would show one of 10 %',
    'mixed-tool-versions: another tool, version or pattern in any of 64 samples',
    'outliers: at most 4 values of one kind, and 5 are needed',
    'busy-client: other programs with 10 % of a client’s CPU time just before or after any of 0 phases, and waits for memory during 5 % of one',
    'busy-client: 32 of 32 phases: not every client’s load was sampled: its scripts are too old, or it did not answer',
    'other-writers: more than 84.9 % and 64 MiB in addition to the tool’s bytes in any of 32 phases, of which compression hides up to 59.9 %',
    'read-from-cache: reads of which memory served more than 63.9 % in any of 16 phases',
    'bytes-not-counted-by-service: a count by the service that is more than 5 % too low in any of 12 phases: DataWriteBytes of none, lz4; DataReadBytes of none, lz4',
    'creates-not-counted-by-service: a count by the service that is more than 5 % too low in any of 2 phases: FileCreateOperations of none, lz4',
    'background-load: background load above 10 % in any of 14 phases: DataWriteBytes of none, lz4; DataReadBytes of none, lz4; FileCreateOperations of none, lz4',
    'missing-bytes: 16 of 16 phases: ior printed no bytes or no time',
    'stragglers: the tool’s output has no time at which the first process finished; mdtest waits for the last process before its clock stops',
    'spread-hides-difference: too much variance to show 10 % in any of 2 comparisons; 1 more have fewer than two pairs',
    'burst-credits: write on none, write on lz4, read on none, read on lz4: 4 values cannot show a fall; 39 would show one of 10 %',
    'throughput-drift: write on none, write on lz4, read on none, read on lz4: 4 values cannot show a fall; 39 would show one of 10 %',
    'creates-not-counted-by-service: a count by the service that is more than 5 % too low in any of 2 phases: DirectoryCreateOperations of none, lz4',
    'background-load: background load above 10 % in any of 12 phases: DataWriteBytes of none, lz4; DataReadBytes of none, lz4',
    'removes-not-counted-by-service: a count by the service that is more than 5 % too low in any of 2 phases: FileDeleteOperations of none, lz4',
    'removes-not-counted-by-service: a count by the service that is more than 5 % too low in any of 2 phases: DirectoryDeleteOperations of none, lz4',
    'coarse-clock: a step of the clock above 5 % of the time in any of 2 phases',
    'free-space-disagrees: a difference above 10 % and 64 MiB in any of 8 readings',
    'missing-bytes: 16 of 16 phases: fio printed no bytes or no time',
    'mixed-images: another image on any of 4 clients',
    'missing-ranks: a missing or extra process in any of 32 measured phases; nodes were counted in 32 of them',
    'missing-bytes: more than 5 % fewer bytes than planned in any of 24 phases; the planned bytes of r1-c1-write are not known; the planned bytes of r1-c2.6-write are not known; the planned bytes of r2-c1-write are not known; the planned bytes of r2-c2.6-write are not known; the planned bytes of r3-c1-write are not known; the planned bytes of r3-c2.6-write are not known; the planned bytes of r4-c1-write are not known; the planned bytes of r4-c2.6-write are not known',
    'stonewall-wear-out: an end more than 1 min after the time limit in any of 32 phases',
    'missing-bytes: 28 of 32 phases: ior printed no bytes or no time; fio printed no bytes or no time; the planned bytes of r2-c1-write are not known; the planned bytes of r2-c2.6-write are not known',
    'stragglers: a process that finished 20 % of its time and 10 s after the first, or moved 2 times the bytes of another, in any of 32 measurements',
    'dependent-repeats: a lag-1 autocorrelation of 0.890 or more',
    'burst-credits: a fall of 0.224 % or more from the first third of the values to the last; inconclusive: write on none: 3,501 MB/s to the end, above the 2,880 MB/s that the disks are documented to sustain; run longer, until the rate falls to that; read on none: 3,847 MB/s to the end, above the 2,880 MB/s that the disks are documented to sustain; run longer, until the rate falls to that',
    'throughput-drift: a fall of 0.224 % or more from the first third of the values to the last',
    'outliers: values far from the others of their kind in any of 12 groups of 5 or more',
    'burst-credits: a fall of 3.95 % or more from the first third of the values to the last',
    'burst-credits: write on none: 3,502 MB/s to the end, above the 2,880 MB/s that the disks are documented to sustain; run longer, until the rate falls to that; write on lz4: 3,395 MB/s to the end, above the 2,880 MB/s that the disks behind compression are documented to sustain; run longer, until the rate falls to that; read on none: 3,847 MB/s to the end, above the 2,880 MB/s that the disks are documented to sustain; run longer, until the rate falls to that; read on lz4: 3,733 MB/s to the end, above the 2,880 MB/s that the disks behind compression are documented to sustain; run longer, until the rate falls to that',
    'bytes-not-counted-by-service: none, lz4: DataWriteBytes: not collected; run npx fsxbench collect; none, lz4: DataReadBytes: not collected; run npx fsxbench collect',
    'background-load: none, lz4: DataWriteBytes: not collected; run npx fsxbench collect; none, lz4: DataReadBytes: not collected; run npx fsxbench collect',
    'data-fit-in-memory: data that fit into memory in any of 4 combinations of arm and compressibility; how much memory the servers of none and lz4 have is not documented',
    'faster-than-documented: AWS documents no limits for such a configuration',
    'missing-ranks: the plan cannot be read',
    'stonewall-wear-out: the plan bounds its phases by something other than time',
    'maintenance-window: no maintenance window is known of any arm',
    'changing-file-system: the descriptions of the file systems were not recorded',
  ]);
});
