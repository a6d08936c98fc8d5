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

describe('the rules of validity', () => {
  test('have nothing to say about a sound run, and each of them that applies passes', () => {
    const record = soundRun();
    expect(found(record)).toEqual([]);
    expect(summarise(record).validity).toBe('VALID');
    // Each of the others passes.
    const others = Object.entries(states(record)).filter(([, state]) => state !== 'passed');
    expect(Object.fromEntries(others)).toMatchSnapshot();
  });

  test('want no phases of five minutes on an arm that no service has by an id', () => {
    const short = shortened(soundRun(), 250);
    expect(states(short)['phase-too-short']).toBe('found');
    const arms = short.manifest?.arms.map((arm) => ({ ...arm, fileSystemId: null, describe: null })) ?? [];
    const record = { ...short, manifest: short.manifest && { ...short.manifest, arms } };
    expect(states(record)['phase-too-short']).toBe('does not apply');
  });

  test.each(CASES)('%s: %s and nothing else', (_, issue, record) => {
    expect(found(record)).toEqual([issue]);
    const { validity, issues, analysis } = summarise(record);
    const [first, ...rest] = issues.filter(({ severity }) => severity !== 'note');
    expect(
      `${first?.where ?? 'all'}: ${first?.message} Expected ${first?.expected}; found ${first?.actual}; ${rest.length} more`,
    ).toMatchSnapshot();
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
  expect(told.filter((_, at) => bare.indexOf(bare[at] as string) === at).join('\n')).toMatchSnapshot();
});
