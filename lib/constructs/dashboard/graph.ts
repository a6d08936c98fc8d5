import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { ARM_COLOURS } from '../../kit/page/palette';
import type { ArmView } from '../../storage/construct';
import type { Limit } from '../../storage/slices/documented';

/** Services publish one value per minute; a coarser graph would average out the phases of a run. */
export const MINUTE = Duration.minutes(1);

/** A documented ceiling in MB/s, such as `disks, sustained`. */
export interface Ceiling {
  readonly label: string;
  readonly megabytesPerSecond: number;
}

interface GraphOptions {
  readonly title: string;
  readonly width: number;
  readonly left: readonly cloudwatch.IMetric[];
  readonly unit: string;
  readonly right?: readonly cloudwatch.IMetric[];
  readonly rightUnit?: string;
  readonly max?: number;
  readonly height?: number;
  /** Lines across the graph, in its unit. */
  readonly ceilings?: readonly { readonly label: string; readonly value: number }[];
}

export function graph(options: GraphOptions): cloudwatch.GraphWidget {
  const { title, width, left, unit, right = [], rightUnit, max, height = 6, ceilings = [] } = options;
  return new cloudwatch.GraphWidget({
    title,
    width,
    height,
    left: [...left],
    right: [...right],
    period: MINUTE,
    leftAnnotations: ceilings.map(({ label, value }) => ({ label, value, color: '#d62728' })),
    leftYAxis: { label: unit, min: 0, max, showUnits: false },
    ...(right.length > 0 && { rightYAxis: { label: rightUnit, min: 0, showUnits: false } }),
  });
}

/** Converts a count per minute to a rate per second. */
export function perSecond(metric: cloudwatch.IMetric, id: string, options: cloudwatch.MathExpressionOptions = {}) {
  return new cloudwatch.MathExpression({
    expression: `${id} / PERIOD(${id})`,
    usingMetrics: { [id]: metric },
    period: MINUTE,
    ...options,
  });
}

/** Bytes a second as MB/s: 10^6 bytes, as AWS counts throughput. */
export function inMegabytes(bytes: cloudwatch.IMetric, id: string, options: cloudwatch.MathExpressionOptions) {
  return new cloudwatch.MathExpression({
    expression: `${id} / 1000000`,
    usingMetrics: { [id]: bytes },
    period: MINUTE,
    ...options,
  });
}

/** An arm has the same colour on every graph, and in reports. */
export const colourOf = (index: number): string => ARM_COLOURS[index % ARM_COLOURS.length] ?? ARM_COLOURS[0];

/** The arm in names of metric math, which takes no dash. */
export const idOf = ({ name }: { readonly name: string }): string => name.replaceAll(/\W/g, '_');

/** One line per arm, in the arm's colour. */
export function linePerArm<A extends Pick<ArmView, 'name' | 'colour'>>(
  arms: readonly A[],
  metric: (arm: A, options: { readonly label: string; readonly color: string }) => cloudwatch.IMetric,
): cloudwatch.IMetric[] {
  return arms.map((arm) => metric(arm, { label: arm.name, color: arm.colour }));
}

/** Sustained limits as ceilings, by what a graph calls them: those without a name, such as the clients', may be far above it. */
export function ceilingsOf(limits: readonly Limit[], names: Readonly<Record<string, string>>): Ceiling[] {
  return limits.flatMap(({ name, baselineMBps }) => {
    const label = names[name];
    return label === undefined ? [] : [{ label, megabytesPerSecond: Math.round(baselineMBps) }];
  });
}

/** Throughput of the clients by direction, each against its ceilings. */
export function throughputGraphs<A extends Pick<ArmView, 'name' | 'colour' | 'model'>>(
  arms: readonly A[],
  options: {
    readonly width: number;
    /** Bytes a second. */
    readonly rate: (arm: A, mode: 'write' | 'read') => cloudwatch.IMetric;
    readonly ceilings: (arm: A, mode: 'write' | 'read') => readonly Ceiling[];
  },
): cloudwatch.IWidget[] {
  const { width, rate, ceilings } = options;
  return (['write', 'read'] as const).map((mode) =>
    graph({
      ...{ title: `Clients: ${mode} throughput`, width, unit: 'MB/s' },
      left: linePerArm(arms, (arm, line) => inMegabytes(rate(arm, mode), `${mode}_${idOf(arm)}`, line)),
      ceilings: ceilingLines(arms, (arm) => ceilings(arm, mode)),
    }),
  );
}

/** Each ceiling once: arms may share theirs. Where it is not that of all arms, it says whose it is. A scale model holds a fraction of it. */
export function ceilingLines<A extends Pick<ArmView, 'name' | 'model'>>(
  arms: readonly A[],
  ceilings: (arm: A) => readonly Ceiling[],
): NonNullable<GraphOptions['ceilings']> {
  const byText = new Map<string, { label: string; value: number; names: string[] }>();
  for (const arm of arms) {
    for (const { label, megabytesPerSecond } of ceilings(arm)) {
      const value = megabytesPerSecond / (arm.model?.scale ?? 1);
      const known = byText.get(`${label} ${value}`);
      if (known) known.names.push(arm.name);
      else byText.set(`${label} ${value}`, { label, value, names: [arm.name] });
    }
  }
  return [...byText.values()].map(({ label, value, names: [first = '', ...others] }) => {
    const whose = others.length === 0 ? first : `${first} and ${others.length} more`;
    return { value, label: others.length + 1 === arms.length ? label : `${label} (${whose})` };
  });
}
