import { summarise } from '../../../lib/analysis/summary';
import { labDeploymentOf } from '../../../lib/benchmark/lab';
import { storageBench } from '../../../lib/benchmark/storage';
import { claimById, claimsOf } from '../../../lib/claims';
import { documentedPlan } from '../../../lib/cli/plan';
import type { TableBlock } from '../../../lib/report/blocks';
import { renderMarkdown } from '../../../lib/report/markdown';
import { storageAnswer } from '../../../lib/report/study/storage/answer';
import { bestOf, doneOf, studyCosts, unitCosts } from '../../../lib/report/study/storage/results';
import { mainMeasure } from '../../../lib/run/task/readWorkload';
import type { Plan } from '../../../lib/schema/plan';
import type { Manifest } from '../../../lib/schema/run';
import type { RunRecord } from '../../../lib/store/record';
import { soundRun } from '../../analysis/runs';
import { samplesOfPlan } from '../../support/records';

const planOf = (plan: string, scale: string, set: string[] = [], program: string[] = []): Plan =>
  documentedPlan(storageBench, { plan, scale, set, program });

/** Measured values, by arm, operation, threads and repeat; `null` fails. */
type Values = (of: { arm: string; operation: string; threads: number; repeat: number }) => number | null;

/** A run of a plan on AWS, with these values. */
function runOf(plan: Plan, values: Values): RunRecord {
  const { manifest } = soundRun({ withMetrics: false });
  if (manifest === null) throw new Error('a sound run has a manifest');
  const [first] = manifest.arms;
  if (first === undefined) throw new Error('a manifest has arms');
  const arms = plan.arms.map(({ name, description, configuration = {} }, index) => ({
    ...first,
    name,
    description,
    describe: null,
    fileSystemId: `fs-${index}`,
    kind: String(configuration.kind),
    hourlyUsd: 0.1 * (index + 1),
  }));
  const at = (index: number): string => new Date(Date.UTC(2026, 10, 22) + index * 1000).toISOString();
  const samples = samplesOfPlan(plan.steps, ({ step, action, at: [index], sample }) => {
    const { operation, metric, unit } = mainMeasure(action);
    const { threads = 1, repeat } = step;
    const value = values({ arm: sample({}).arm, operation, threads, repeat });
    const reason = value === null ? { reason: 'timeout after 600 s' } : {};
    const common = { operation, startedAt: at(index), endedAt: at(index + 1), ...reason };
    return [
      sample({ ...common, metric, value, unit }),
      sample({ ...common, metric: 'bytes', value: value && 1e9 * threads, unit: 'B' }),
    ];
  });
  return {
    run: 'study',
    plan: { ...plan, issues: [] },
    samples,
    status: null,
    metrics: [],
    environment: [],
    raw: [],
    problems: [],
    manifest: { ...manifest, arms, fleet: { ...manifest.fleet, instanceType: 'c5.2xlarge' } },
  };
}

describe('bad settings are refused with what is allowed', () => {
  test.each([
    ['paired', ['threads=1,0'], "'threads' must be whole numbers of threads from 1 to 512"],
    ['paired', ['threads=4,4'], "'threads' must be whole numbers of threads"],
    ['published', ['smallFiles=0'], "'smallFiles' must be a whole number from 1"],
    ['pipeline', ['outputs=../etc'], "'outputs' must be paths below {dir}"],
    ['pipeline', ['outputs=/etc/passwd'], "'outputs' must be paths below {dir}"],
    ['pipeline', ['inputs=http://example.com/a'], "'inputs' must be s3://BUCKET/KEY"],
  ])('%s %j', (plan, set, message) => {
    expect(() => planOf(plan, 'lab', set)).toThrow(message);
  });

  test('a program that does not say where it works', () => {
    expect(() => planOf('pipeline', 'lab', [], ['cellranger', 'count'])).toThrow(
      "'program' must contain {dir}, which stands for each arm's directory, got 'cellranger count'",
    );
  });
});

test('data that would fill a storage stop the plan before it starts', () => {
  const { issues } = planOf('published', 'published', ['threads=8,16']);
  expect(issues).toContainEqual(expect.objectContaining({ id: 'data-exceed-capacity', severity: 'error' }));
});

test('every storage does all of the same work in each repeat, and another one is first each time', () => {
  const { steps, arms } = planOf('paired', 'lab');
  const names = arms.map(({ name }) => name);
  const measured = steps.filter(({ phase }) => phase === 'measure');
  const work = (arm: string, repeat: number): string[] =>
    measured
      .filter((step) => step.repeat === repeat && step.tasks.some((task) => task.arm === arm))
      .map(({ id }) => id.replace(`-${arm}`, ''));
  for (const repeat of [1, 2, 3]) {
    for (const arm of names) expect(work(arm, repeat)).toEqual(work(names[0] as string, repeat));
    expect(work(names[0] as string, repeat)).toHaveLength(2 * 2 * (2 + 2) + 1);
  }
  const first = [1, 2, 3].map((repeat) => measured.find((step) => step.repeat === repeat)?.tasks[0]?.arm);
  expect(new Set(first).size).toBe(Math.min(3, names.length));
});

test('caches are dropped before each corrected read and pipeline, and never between the loops of the study', () => {
  const { steps } = planOf('paired', 'lab', ['repeats=1']);
  const units = [...new Set(steps.map(({ unit }) => unit))].filter((unit) => unit.startsWith('r1-'));
  for (const unit of units) {
    const drops = steps.filter((step) => step.unit === unit && step.tasks[0]?.action.kind === 'drop-caches');
    expect([unit, drops.length > 0]).toEqual([unit, !unit.includes('loops')]);
  }
});

test('the published plan is the study to the letter', () => {
  const { steps } = planOf('published', 'published');
  const commands = steps.flatMap(({ tasks }) =>
    tasks.flatMap(({ action }) => (action.kind === 'workload' ? [`${action.pattern}: ${action.published}`] : [])),
  );
  expect([...new Set(commands)]).toEqual([
    '100 GiB in blocks of 100 MiB: dd if=/dev/urandom of={dir}/large.txt iflag=fullblock bs=100M count=1024',
    '100 GiB in blocks of 100 MiB: dd if={dir}/large.txt of=/dev/null conv=fdatasync',
    '100,000 files of 500 kB: for j in {1..100000}; do head -c 500kB </dev/urandom > {dir}/small/randfile$j.txt; done',
    '100,000 files of 500 kB: for file in {dir}/small/* ; do dd if=$file of=/dev/null; done',
  ]);
  expect(new Set(steps.flatMap(({ threads }) => threads ?? []))).toEqual(new Set([1, 4, 8]));
});

test('a program gets its inputs before the clock starts, and must leave its outputs', () => {
  const set = ['inputs=s3://own-bucket/reads/a.fastq,s3://own-bucket/b.fastq', 'outputs=run/outs,log.txt', 'repeats=1'];
  const { steps, arms } = planOf('pipeline', 'lab', set, ['cellranger', 'count', '--output-dir', '{dir}/run']);
  const commands = steps
    .filter(({ tasks }) => tasks.some(({ arm }) => arm === arms[0]?.name))
    .flatMap(({ phase, tasks }) =>
      tasks.flatMap(({ action }) =>
        action.kind === 'workload' ? [[phase, ...action.command.slice(1)].join(' ')] : [],
      ),
    );
  expect(commands).toEqual([
    'prepare mkdir -p {dir}/inputs',
    'prepare {bin}/s3 get s3://own-bucket/reads/a.fastq {dir}/inputs/a.fastq',
    'prepare {bin}/s3 get s3://own-bucket/b.fastq {dir}/inputs/b.fastq',
    'measure --output {dir}/run/outs --output {dir}/log.txt cellranger count --output-dir {dir}/run',
  ]);
});

describe('a run under the conditions of the study', () => {
  const key = (arm: string, threads: number, operation: string): string =>
    `cloudpipeline.${arm}.${threads}.${operation}`;
  // EFS as published, Lustre twice as fast, MooseFS silent from the start.
  const values: Values = ({ arm, operation, threads }) => {
    if (arm !== 'efs' && arm !== 'lustre') return null;
    const seconds = claimById(key(arm, threads, operation)).value as number;
    return arm === 'efs' ? seconds : seconds / 2;
  };
  const summary = summarise(runOf(planOf('published', 'published'), values));
  const verdictOf = (id: string) => summary.analysis.verdicts.find(({ claim }) => claim.id === id);

  test('has a verdict for each cell of a storage that it measured: that of its own arm and threads', () => {
    for (const threads of [1, 4, 8])
      for (const operation of ['create_large_file', 'read_large_file', 'create_small_files', 'read_small_files']) {
        expect(verdictOf(key('efs', threads, operation))).toMatchObject({
          verdict: 'reproduced',
          measured: claimById(key('efs', threads, operation)).value,
        });
        expect(verdictOf(key('lustre', threads, operation))?.verdict).toBe('not reproduced');
      }
  });

  test('has one verdict on every figure of the study, with its reason', () => {
    const study = claimsOf(storageBench.study);
    expect(study.filter(({ unit }) => unit === 's')).toHaveLength(52);
    const verdicts = summary.analysis.verdicts.filter(({ claim }) => claim.study === storageBench.study);
    expect(verdicts.map(({ claim }) => claim.id).sort()).toEqual(study.map(({ id }) => id).sort());
    for (const { claim, verdict, because } of verdicts)
      expect([claim.id, verdict, because]).toEqual([
        claim.id,
        expect.stringMatching(/^(reproduced|not reproduced|not comparable)$/),
        expect.stringMatching(/\w/),
      ]);
  });

  test('says of storages that it has not that they are others', () => {
    expect(verdictOf(key('lizardfs.ebs', 4, 'read_small_files'))).toMatchObject({
      verdict: 'not comparable',
      because: expect.stringContaining('the storage is'),
    });
    expect(verdictOf(key('btrfs.ebs', 4, 'read_small_files'))).toMatchObject({
      verdict: 'not comparable',
      because: 'the run did not measure it',
    });
  });

  test('fills the tables of the study, with the reason where an arm has no value', () => {
    const page = renderMarkdown(summary);
    expect(page).toContain('The study’s tables, measured');
    expect(page).toMatch(/1,04[45]/);
    expect(page).toContain('timeout after 600 s');
    expect(page).toContain('Erratum: The cost of one day beside months');
  });

  test('leaves no empty line where one repeat has no interval', () => {
    const answer = summarise(runOf(planOf('paired', 'smoke', ['repeats=1']), () => 100));
    for (const page of [summary, answer].map(renderMarkdown)) {
      expect(page).toMatch(/\| 1(,04[45]|00) (\||\(user)/);
      expect(page).not.toMatch(/\( *[()]/);
    }
  });
});

describe('the answer', () => {
  // Large files are faster on the first arm, small files alike on all.
  const plan = planOf('paired', 'smoke', ['repeats=4', 'loops=false', 'pipelineReads=0']);
  const [fast = '', slow = ''] = plan.arms.map(({ name }) => name);
  const noise = [1, 1.01, 0.99, 1.005];
  const record = runOf(plan, ({ arm, operation, threads, repeat }) =>
    arm === fast || arm === slow
      ? (arm === fast && threads === 4 ? 300 : 200) * (noise[(repeat + (arm === slow ? 2 : 0)) % 4] ?? 1) +
        (operation === 'read' ? 1 : 0)
      : null,
  );
  const summary = summarise(record);

  test('names the fastest arm alone where the repeats tell it from the others', () => {
    const done = doneOf(summary, 'throughput').filter(({ threads, fileBytes }) => threads === 4 && fileBytes > 1e6);
    expect(bestOf(done.filter(({ operation }) => operation === 'write'))).toEqual({ arm: fast, alike: [] });
  });

  test('names those beside it that the repeats do not tell from it', () => {
    const done = doneOf(summary, 'throughput').filter(
      ({ threads, operation }) => threads === 1 && operation === 'write',
    );
    const best = bestOf(done.filter(({ fileBytes }) => fileBytes > 1e6));
    expect([best?.arm, ...(best?.alike ?? [])].sort()).toEqual([fast, slow].sort());
  });

  test('has the most for a dollar with the clients in its price', () => {
    const { arms, fleet, ...manifest } = record.manifest as Manifest;
    // 300 MB/s for 12 USD and 200 for 10.50: without the clients the slow arm would be four times as good.
    const priced = arms.map((arm) => ({ ...arm, hourlyUsd: arm.name === fast ? 2 : 0.5 }));
    const run = summarise({ ...record, manifest: { ...manifest, arms: priced, fleet: { ...fleet, hourlyUsd: 10 } } });
    const [, table] = storageAnswer.blocks(run) as [unknown, TableBlock];
    const best = table.rows.filter(([work]) => /4 threads/.test(JSON.stringify(work))).map((cells) => cells.at(-1));
    expect(best.length).toBeGreaterThan(0);
    for (const cell of best) expect(JSON.stringify(cell)).toContain(`"${fast}"`);
  });

  test('is nothing where nothing was measured', () => {
    expect(bestOf([])).toBeNull();
  });

  test('says once what holds for several numbers of threads', () => {
    const alike = summarise(runOf(plan, ({ arm }) => (arm === fast || arm === slow ? 200 : null)));
    const sentences = storageAnswer.headline?.(alike).map((parts) => parts.join('')) ?? [];
    expect(sentences[0]).toMatch(/^Fastest at writing files of .*: no clear winner with 1 and 4 threads\.$/);
  });

  test('has the medians that stand in the table of the first screen, also where means differ', () => {
    const skewed = summarise(
      runOf(plan, ({ arm, threads, repeat }) =>
        arm === fast || arm === slow ? (arm === fast ? 300 : 100) * (threads === 4 && repeat === 1 ? 2 : 1) : null,
      ),
    );
    const sentences = storageAnswer.headline?.(skewed).map((parts) => JSON.stringify(parts)) ?? [];
    expect(sentences.length).toBeGreaterThan(0);
    for (const sentence of sentences) expect(sentence).toContain('(300 MB/s)');
    for (const cell of skewed.cells.filter((one) => one.arm === fast && one.metric === 'throughput'))
      expect(cell.median).toBe(300);
  });
});

describe('costs', () => {
  test('the formulas of the study give its figures, and the day becomes a month', () => {
    const [efs, lustre, ebs] = studyCosts();
    expect(efs?.monthlyUsd).toBeCloseTo(claimById('cloudpipeline.cost.efs').value as number, 2);
    expect(lustre?.monthlyUsd).toBeCloseTo(claimById('cloudpipeline.cost.lustre').value as number, 1);
    expect(ebs).toMatchObject({ per: 'day', usd: claimById('cloudpipeline.cost.ebs').value });
    expect(ebs?.monthlyUsd).toBeCloseTo(claimById('cloudpipeline.cost.ebs').corrected?.value as number, 6);
  });

  test('a dollar an hour at 100 MB/s is 2.78 USD for a TB, and 1.39 for a million files of 500 kB', () => {
    const { perTb, perMillion } = unitCosts(1, 100, 500_000);
    expect([perTb, perMillion].map((value) => Number(value.toFixed(2)))).toEqual([2.78, 1.39]);
  });
});

test('the lab can have arms beyond the study: it deploys those that are chosen, and others as the study was', () => {
  expect(labDeploymentOf(storageBench, ['xfs', 's3']).settings).toEqual({ arms: ['xfs', 's3'] });
  expect(labDeploymentOf(storageBench, ['xfs', 'efs']).settings).toEqual({});
});
