import { summarise, summarise as summariseRun } from '../../../lib/analysis/summary';
import { type Claim, claimsOf, incomparableByReason, type Judgement } from '../../../lib/claims';
import { renderMarkdown } from '../../../lib/report';
import type { Sample } from '../../../lib/schema/sample';
import type { RunRecord } from '../../../lib/store/record';
import { soundRun } from '../runs';

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);
const numberOf = (value: unknown, otherwise: number): number => Number(first(value) ?? otherwise);

/** A run under a claim's own conditions that found so many times what was published. */
function runFor({ conditions, unit, value }: Claim, times: number): RunRecord {
  const base = soundRun({ compressibilities: [3.5], repeats: 1, withMetrics: false });
  const step = base.plan?.steps.find(({ phase }) => phase === 'measure');
  const template = base.samples.find(({ phase, source }) => phase === 'measure' && source === 'client') as Sample;
  const tool = String(conditions.tool ?? 'ior');
  const clients = numberOf(conditions.clients, 4);
  const configuration = {
    kind: 'lustre',
    deploymentType: String(first(conditions.deploymentType) ?? 'PERSISTENT_1') as 'PERSISTENT_1',
    storageType: 'SSD' as const,
    storageCapacityGiB: numberOf(conditions.capacityGiB, 14_400),
    perUnitStorageThroughput: numberOf(conditions.perUnitMBps, 200),
    dataCompressionType: String(first(conditions.compression) ?? 'NONE') as 'NONE',
    version: '2.15' as const,
  };
  const action = {
    kind: 'workload' as const,
    tool: tool as 'ior',
    operation: String(conditions.operation ?? 'read') as 'read',
    command: [tool, ...String(conditions.arguments ?? '').split(' ')],
    ranksPerClient: numberOf(
      conditions.ranksPerClient ?? conditions.threads,
      numberOf(conditions.ranks, clients * 36) / clients,
    ),
    pattern: String(conditions.pattern ?? conditions.dataSet ?? 'ior-default'),
  };
  const seconds = unit === 'min' ? 60 : 1;
  const isTime = unit === 's' || unit === 'min';
  const sample: Sample = {
    ...template,
    tool,
    operation: action.operation,
    pattern: action.pattern,
    clients,
    arm: 'none',
    step: step?.id ?? '',
    toolVersion: String(conditions.toolVersion ?? '3.3.0'),
    ranks: clients * action.ranksPerClient,

    metric: isTime ? 'seconds' : 'throughput',
    value: (value ?? 1) * times * seconds,
    unit: isTime ? 's' : 'MiB/s',
  };
  const { plan, manifest } = base;
  if (!plan || !manifest || !step) throw new Error('a synthetic run has them');
  const arm = { name: 'none', description: 'the only one', configuration };
  return {
    ...base,
    plan: {
      ...plan,
      arms: [arm],
      fleet: { ...plan.fleet, clients },
      steps: [{ ...step, tasks: [{ arm: 'none', group: 'A', action }] }],
    },
    manifest: {
      ...manifest,
      arms: manifest.arms.slice(0, 1).map((one) => ({ ...one, describe: null })),
      fleet: { ...manifest.fleet, instanceType: String(conditions.instanceType ?? 'c5n.9xlarge') },
    },
    samples: [sample],
  };
}

const judged = (claim: Claim, times: number): Judgement | undefined =>
  summarise(runFor(claim, times)).analysis.verdicts.find((one) => one.claim.id === claim.id);

const RUNNABLE = claimsOf().filter(
  ({ study, kind, value, unit, conditions, quantity }) =>
    kind === 'measured' &&
    value !== null &&
    study !== 'AWS compression blog' &&
    (unit === 's' || unit === 'min' || unit === 'MiB/s') &&
    (conditions.storage === undefined || /^(LUSTRE|FSx for Lustre)$/.test(String(conditions.storage))) &&
    conditions.network === undefined &&
    quantity !== '',
);

test('the figures that a run can be made for are those of FSx for Lustre: IOR, fio, dd, cellranger and dask', () => {
  const groups = RUNNABLE.map(({ id }) =>
    id
      .replace(/^field\..*/, 'field.row')
      .split('.')
      .slice(0, 2)
      .join('.'),
  );
  expect(groups.sort()).toEqual(
    [
      ...Array.from({ length: 13 }, () => 'cloudpipeline.lustre'),
      ...['dask.ior', 'dask.ior', 'dask.ior', 'dask.ior', 'dask.sst', 'dask.sst'],
      ...Array.from({ length: 10 }, () => 'field.row'),
    ].sort(),
  );
});

describe.each(RUNNABLE)('$id', (claim) => {
  test('is reproduced by a run under its conditions that found the same', () => {
    expect(judged(claim, 1)).toMatchObject({ verdict: 'reproduced', differences: [] });
  });

  test('is not reproduced by one that found less', () => {
    expect(judged(claim, 0.7)).toMatchObject({ verdict: 'not reproduced' });
  });

  test('is not compared with a run on other clients', () => {
    const { instanceType } = claim.conditions;
    const change = instanceType === undefined ? { clients: 2 } : { instanceType: 'c5n.metal' };
    const conditions = { ...claim.conditions, ...change };
    const other = summarise(runFor({ ...claim, conditions }, 1)).analysis.verdicts.find(
      (one) => one.claim.id === claim.id,
    );
    expect(other).toMatchObject({ verdict: 'not comparable' });
    expect(other?.because).toMatch(/(?:the instance type is c5n\.metal|the number of clients is 2) \(study: /);
  });
});

test('a run that is invalid reproduces nothing', () => {
  const [claim] = RUNNABLE as [Claim];
  const run = runFor(claim, 1);
  const [sample] = run.samples as [Sample];
  const { analysis } = summarise({ ...run, samples: [sample, { ...sample, repeat: 2, value: -1 }] });
  expect(analysis.issues.filter(({ severity }) => severity === 'error')).not.toEqual([]);
  expect(analysis.verdicts.find((one) => one.claim.id === claim.id)).toMatchObject({
    verdict: 'not comparable',
    because: 'the run is INVALID',
  });
});

describe('a run of a study’s own data', () => {
  const claim = RUNNABLE.find(({ conditions }) => conditions.dataSet !== undefined) as Claim;
  const run = runFor(claim, 1);
  const verdictOf = (record: RunRecord) => summarise(record).analysis.verdicts.find((one) => one.claim.id === claim.id);

  test('is compared although the bytes that it moved are known', () => {
    const moved = run.samples.map((sample) => ({ ...sample, metric: 'bytes', value: 1e11, unit: 'B' }));
    expect(verdictOf({ ...run, samples: [...run.samples, ...moved] })).toMatchObject({ verdict: 'reproduced' });
  });

  test('is compared by its own storage, where another one was measured beside it', () => {
    const { plan } = run;
    const [arm] = plan?.arms ?? [];
    if (!plan || !arm) throw new Error('a synthetic run has them');
    const other = { ...arm, name: 'efs', configuration: { kind: 'efs' as const, throughputMode: 'elastic' } };
    const record: RunRecord = {
      ...run,
      plan: {
        ...plan,
        arms: [other, arm],
        steps: plan.steps.map((step) => ({
          ...step,
          tasks: [...step.tasks, ...step.tasks.map((task) => ({ ...task, arm: 'efs' }))],
        })),
      },
      samples: [
        ...run.samples,
        ...run.samples.map((sample) => ({ ...sample, arm: 'efs', value: (sample.value ?? 0) * 3 })),
      ],
    };
    expect(verdictOf(record)).toMatchObject({ verdict: 'reproduced', differences: [] });
  });
});

describe('every run', () => {
  const all = summarise(soundRun()).analysis.verdicts;

  test('has a verdict for every figure of all six studies, its own study first', () => {
    expect(all).toHaveLength(claimsOf().length);
    expect(new Set(all.map(({ claim }) => claim.study)).size).toBe(6);
    expect(all[0]?.claim.study).toBe('AWS compression blog');
  });

  test('quotes the erratum of each figure that has one, whatever the verdict', () => {
    for (const { claim, errata } of all) expect(errata).toEqual(claim.errata);
    expect(all.filter(({ errata }) => errata.length > 0).map(({ claim }) => claim.id)).toEqual(
      expect.arrayContaining(['compression.improvement.burst', 'cloudpipeline.cost.ebs']),
    );
  });

  test('says in readable words why a figure is not comparable', () => {
    for (const { verdict, because } of all) {
      expect(because).not.toMatch(/undefined|NaN|null|\[object|arguments of the run is/);
      if (verdict === 'not comparable') expect(because.length).toBeGreaterThan(15);
    }
  });

  test('holds documented figures against what AWS documents today', () => {
    const of = (id: string) => all.find(({ claim }) => claim.id === id);
    for (const id of ['compression.limit.network', 'compression.limit.disk', 'compression.limit.disk_times_ratio'])
      expect(of(id)).toMatchObject({ verdict: 'reproduced', documented: true });
    expect(of('compression.limit.disk_times_ratio')?.because).toMatch(/10800 MB\/s.*burst.*12960 MB\/s/);
    expect(of('compression.limit.network')?.because).toMatch(/^today’s documented 10800 MB\/s/);
    const slower = { ...soundRun() };
    const plan = slower.plan && {
      ...slower.plan,
      arms: slower.plan.arms.map((arm) => ({
        ...arm,
        configuration: arm.configuration && { ...arm.configuration, perUnitStorageThroughput: 100 },
      })),
    };
    const other = summarise({ ...slower, plan }).analysis.verdicts.find(
      ({ claim }) => claim.id === 'compression.limit.disk',
    );
    expect(other?.because).toBe('the throughput in MB/s per TiB is 100 (study: 200)');
  });

  test('measures no price', () => {
    for (const { claim, verdict, because } of all)
      if (claim.kind === 'price')
        expect([verdict, because]).toEqual(['not comparable', expect.stringContaining('price')]);
  });

  test('tells each reason once, with the figures that it holds for', () => {
    const groups = incomparableByReason(all);
    expect(groups.reduce((sum, { judgements }) => sum + judgements.length, 0)).toBe(
      all.filter(({ verdict }) => verdict === 'not comparable').length,
    );
    expect(groups.length).toBeLessThan(25);
    expect(new Set(groups.map(({ because, judgements }) => `${judgements[0]?.claim.study} ${because}`)).size).toBe(
      groups.length,
    );
    const samples = groups.find(({ judgements }) => judgements.length === 46);
    expect(samples?.because).toMatch(
      /^the data set is .* of ior-incompressible and fio-60 \(study: .* or one of 44 others\)$/,
    );
  });
});

test('a lab run compares nothing, and says why once', () => {
  const { verdicts } = summarise(soundRun({ lab: true })).analysis;
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['not comparable']));
  const reasons = incomparableByReason(verdicts).filter(({ because }) => because.startsWith('it is a lab run'));
  expect(reasons.map(({ studies }) => studies.length)).toEqual([6]);
  const markdown = renderMarkdown(summariseRun(soundRun({ lab: true })));
  expect(markdown.match(/^- it is a lab run/gm)?.length).toBe(1);
});

describe('metadata IOPS above the default', () => {
  /** Creations at 12,000 and 192,000 metadata IOPS on two tiers, as the study arranged them. */
  const metadataRun = (gain: number): RunRecord => {
    const claim = claimsOf().find(({ id }) => id === 'metadata.gain') as Claim;
    const record = runFor(
      { ...claim, conditions: { ...claim.conditions, operation: 'file_create', ranksPerClient: 4 } },
      1,
    );
    const levels = [250, 1000].flatMap((tier) =>
      [12_000, 192_000].map((iops) => ({ tier, iops, name: `p${tier}-${iops}` })),
    );
    const [step] = record.plan?.steps ?? [];
    const [sample] = record.samples as [Sample];
    const configuration = record.plan?.arms[0]?.configuration;
    if (!record.plan || !record.manifest || !step || !configuration) throw new Error('a synthetic run has them');
    return {
      ...record,
      plan: {
        ...record.plan,
        benchmark: 'MetadataBench',
        arms: levels.map(({ tier, iops, name }) => ({
          name,
          description: name,
          configuration: {
            ...configuration,
            perUnitStorageThroughput: tier,
            metadata: { mode: 'USER_PROVISIONED' as const, iops },
          },
        })),
        steps: levels.map(({ name }) => ({
          ...step,
          id: `run-${name}`,
          tasks: step.tasks.map((task) => ({ ...task, arm: name, group: 'all' })),
        })),
      },
      manifest: { ...record.manifest, arms: [] },
      samples: levels.map(({ name, iops }) => ({
        ...sample,
        arm: name,
        step: `run-${name}`,
        group: 'all',
        tool: 'mdtest',
        operation: 'file_create',
        compressibility: null,
        metric: 'rate',
        unit: 'op/s',
        value: iops === 12_000 ? 24_000 : 24_000 * gain,
      })),
    };
  };
  const verdict = (gain: number) =>
    summarise(metadataRun(gain)).analysis.verdicts.find(({ claim }) => claim.id === 'metadata.gain');

  test('are reproduced by a run that gains as much, or more', () => {
    expect(verdict(15)).toMatchObject({ verdict: 'reproduced', measured: 15 });
    expect(verdict(16.5)).toMatchObject({ verdict: 'reproduced' });
  });

  test('are not by one that gains half of it', () => {
    expect(verdict(8)).toMatchObject({ verdict: 'not reproduced' });
  });

  test('are documented as the study has them', () => {
    const { verdicts } = summarise(metadataRun(15)).analysis;
    const of = (id: string) => verdicts.find(({ claim }) => claim.id === id);
    expect(of('metadata.automatic.large')).toMatchObject({ verdict: 'reproduced', documented: true, measured: 12_000 });
    expect(of('metadata.create_per_iops')).toMatchObject({ verdict: 'reproduced', measured: 2 });
    expect(of('metadata.results')?.because).toContain('published as pictures only');
  });
});
