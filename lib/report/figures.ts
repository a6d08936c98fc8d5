import type { Cell } from '../analysis/figures/cells';
import { mainRates } from '../analysis/figures/rates';
import { statistics } from '../analysis/figures/statistics';
import type { RunSummary } from '../analysis/summary';
import { bytes } from '../common/format/units';
import type { NodeEnvironment } from '../schema/environment';
import type { Condition, Figure, RunFigures } from '../schema/summary';
import { findings } from './findings';
import { plainText } from './render/shown';

/** The key figures of a run with its result in words: what an index of many runs needs of each. */
export function figuresOf(run: RunSummary): RunFigures {
  const { arms, conditions, figures, costUsd, ...known } = keyFigures(run);
  const why = costUsd === null ? { costReason: costReasonOf(run) } : {};
  return { ...known, findings: findings(run).map(plainText), arms, conditions, figures, costUsd, ...why };
}

/** Derives the key figures; the words of the findings are the report's. Pure: the same run gives the same figures. */
function keyFigures(run: RunSummary): Omit<RunFigures, 'findings'> {
  const { record, issues, arms, cells, lab, cost } = run;
  const count = (severity: string): number => issues.filter((issue) => issue.severity === severity).length;
  return {
    schema: 'fsxbench.summary/1',
    run: run.run,
    benchmark: run.benchmark,
    plan: run.plan,
    scale: run.scale,
    platform: platformOf(run),
    place: run.place,
    state: record.status?.state ?? null,
    startedAt: run.startedAt,
    seconds: run.seconds,
    validity: run.validity,
    errors: count('error'),
    warnings: count('warning'),
    arms: arms.map((arm) => ({ name: arm.name, description: armInWords(arm) })),
    conditions: conditionsOf(run),
    figures: [...mainRates(cells).map(figureOf), ...spaceFigures(run)],
    costUsd: lab ? null : cost.runUsd,
  };
}

const costReasonOf = ({ lab, cost }: RunSummary): string =>
  lab ? 'nothing was rented: it is a lab run' : (cost.reason ?? 'unknown');

function platformOf({ place, record: { manifest } }: RunSummary): string {
  if (place === 'lab') return 'lab';
  if (place === 'model') return 'scale model in the lab';
  if (manifest === null) return 'unknown platform';
  if (place === 'machines') return 'machines that were there already';
  if (place === 'directories') return 'directories of one machine';
  if (place === 'mounted') return 'Lustre mounted on one machine';
  return `AWS ${manifest.region ?? 'in an unknown Region'}`;
}

function figureOf({ arm, compressibility, operation, metric, unit, median, min, max, samples, tools }: Cell): Figure {
  const known = samples.flatMap(({ repeat, value }) => (value === null ? [] : [{ repeat, value }]));
  const repeats = [...Map.groupBy(known, ({ repeat }) => repeat).values()].flatMap(
    (group) => statistics(group.map(({ value }) => value)).median ?? [],
  );
  const reason = median === null ? (samples.find((sample) => sample.reason !== null)?.reason ?? 'no sample') : null;
  return { arm, compressibility, operation, metric, unit, median, least: min, most: max, repeats, tools, reason };
}

function spaceFigures({ space }: RunSummary): Figure[] {
  return space.map(({ arm, compressibility, median, min, max, readings }): Figure => {
    const reason = readings.find((reading) => reading.reason !== undefined)?.reason ?? 'no reading';
    return {
      arm,
      compressibility,
      operation: 'space',
      metric: 'compression_ratio',
      unit: '1',
      median,
      least: min,
      most: max,
      repeats: readings.flatMap(({ ratio }) => ratio ?? []),
      tools: [...new Set(readings.map(({ source }) => source))],
      reason: median === null ? reason : null,
    };
  });
}

/** Returns the planned description of an arm, and the actual one where that differs. */
function armInWords({ description, deployed }: RunSummary['arms'][number]): string {
  const actually = deployed?.actually ?? null;
  return actually === null || actually === description ? description : `${description}; really ${actually}`;
}

/** Parameters that say how much is measured, not what: runs that differ in them are compared. */
const AMOUNTS = new Set(['repeats', 'targets']);

function conditionsOf({ place, arms, record: { plan, manifest, environment } }: RunSummary): Condition[] {
  const [facts] = environment.map(({ facts: own }) => own);
  const condition = (name: string, value: unknown): Condition[] =>
    value === null || value === undefined || value === '' ? [] : [{ name, value: String(value) }];
  const type = manifest?.fleet.instanceType;
  const rented = manifest !== null && place === 'aws' && type;
  const clients = plan?.fleet.clients ?? manifest?.fleet.clients.length ?? null;
  const machine = machineOf(facts);
  const several = manifest?.fleet.machines !== undefined;
  return [
    ...(rented
      ? condition('clients', `${clients} × ${type}`)
      : several
        ? condition('machines', `${clients} of ${machine ?? 'unknown'}`)
        : condition('machine', machine)),
    ...condition('kernel', facts?.kernel),
    ...condition('Lustre client', facts?.lustre?.lfs),
    ...arms.flatMap((arm) => condition(arm.name, armInWords(arm))),
    ...Object.entries(plan?.parameters ?? {})
      .filter(([name]) => !AMOUNTS.has(name))
      .flatMap(([name, value]) => condition(name, value)),
  ];
}

/** The machine that stands for the clients in a lab; memory in GiB, since the kernel keeps a varying share of it. */
function machineOf({ cpus, cpuModel, memoryBytes }: NodeEnvironment = {}): string | null {
  if (cpus === undefined) return null;
  const memory = memoryBytes === undefined ? '' : `, ${bytes(Math.round(memoryBytes / 2 ** 30) * 2 ** 30)}`;
  return `${cpus} × ${cpuModel ?? 'CPU'}${memory}`;
}
