import { chunks } from '../common/collections';
import { ARM_COLOURS } from '../common/page/drawing';
import type { StorageConfiguration } from '../schema/deployment';
import type { ModelLimits } from '../schema/model';
import { inMegabytes, type MetricExpression, type Several } from './expression';

/** A line of a graph, or one for each part of a resource. */
export interface Line {
  readonly label: string;
  /** @default - of the palette, in turn */
  readonly colour?: string;
  /** Dimension whose value distinguishes the lines of one expression. @default - it is one line, or each has its own name */
  readonly by?: string;
  readonly of: MetricExpression | Several;
}

export interface Ceiling {
  readonly label: string;
  readonly value: number;
}

/** A graph over time with one value a minute, whatever the time range. */
export interface Graph {
  readonly kind: 'graph';
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly unit: string;
  readonly left: readonly Line[];
  readonly right: readonly Line[];
  readonly rightUnit?: string;
  readonly max?: number;
  readonly ceilings: readonly Ceiling[];
}

/** Markdown: headings, lists, bold, emphasis and code. */
interface Text {
  readonly kind: 'text';
  readonly markdown: string;
  readonly width: number;
  readonly height: number;
}

interface AlarmStates {
  readonly kind: 'alarms';
  readonly alarms: readonly string[];
  readonly width: number;
  readonly height: number;
}

export type Panel = Graph | Text | AlarmStates;

/** A dashboard from top to bottom. A row wider than the 24 columns continues below. */
export interface Dashboard {
  readonly rows: readonly (readonly Panel[])[];
}

export const text = (markdown: string, width: number, height: number): Text => ({
  kind: 'text',
  markdown,
  width,
  height,
});

/** Rows of the states of alarms, of which one panel takes so many. */
export const alarmRows = (alarms: readonly string[], max: number): AlarmStates[][] =>
  chunks(alarms, max).map((part) => [{ kind: 'alarms', alarms: part, width: 24, height: 3 }]);

/** One arm as dashboards and alarms see it. */
export interface ShownArm<C extends StorageConfiguration = StorageConfiguration> {
  readonly name: string;
  readonly configuration: C;
  readonly region: string;
  /** Id of the resource in its service: `fs-…`. */
  readonly resourceId: string;
  /** Ids of the resources that publish its metrics. */
  readonly parts: readonly string[];
  /** Word that names it in CloudWatch expressions. */
  readonly key: string;
  /** Its colour on every graph. */
  readonly colour: string;
  /** Limits of the scale model in its place. @default - the documented ones */
  readonly model?: ModelLimits[string] | undefined;
}

/** The part of a dashboard that a storage fills for its arms. */
export interface DashboardPart {
  /** Advice on reading the graphs, as lines of Markdown. */
  readonly reading: readonly string[];
  /** Rows of graphs, the most important ones first. */
  readonly rows: readonly (readonly Panel[])[];
  /** Rows of graphs that are seldom needed, shown below those of the clients. @default - nothing */
  readonly more?: readonly (readonly Panel[])[];
}

type GraphOptions = Omit<Graph, 'kind' | 'height' | 'right' | 'ceilings'> &
  Partial<Pick<Graph, 'height' | 'right' | 'ceilings'>>;

export const graph = (options: GraphOptions): Graph => ({
  kind: 'graph',
  height: 6,
  right: [],
  ceilings: [],
  ...options,
});

type Shown = Pick<ShownArm, 'name' | 'colour' | 'model'>;

export const colourOf = (index: number): string => ARM_COLOURS[index % ARM_COLOURS.length] ?? ARM_COLOURS[0];

/** The arm in names of metric math, which does not accept dashes. */
export const idOf = ({ name }: Pick<Shown, 'name'>): string => name.replaceAll(/\W/g, '_');

export const linePerArm = <A extends Shown>(arms: readonly A[], expression: (arm: A) => MetricExpression): Line[] =>
  arms.map((arm) => ({ label: arm.name, colour: arm.colour, of: expression(arm) }));

/** Throughput of the clients by direction, each against its ceilings in MB/s. */
export const throughputGraphs = <A extends Shown>(
  arms: readonly A[],
  options: {
    readonly width: number;
    /** Bytes a second. */
    readonly rate: (arm: A, mode: 'write' | 'read') => MetricExpression;
    readonly ceilings: (arm: A, mode: 'write' | 'read') => readonly Ceiling[];
  },
): Graph[] =>
  (['write', 'read'] as const).map((mode) =>
    graph({
      title: `Clients: ${mode} throughput`,
      width: options.width,
      unit: 'MB/s',
      left: linePerArm(arms, (arm) => inMegabytes(options.rate(arm, mode), `${mode}_${idOf(arm)}`)),
      ceilings: ceilingLines(arms, (arm) => options.ceilings(arm, mode)),
    }),
  );

/** Each ceiling once, since arms may share theirs; the label names the arms unless it holds for all. A scale model holds a fraction of it. */
export function ceilingLines<A extends Shown>(
  arms: readonly A[],
  ceilings: (arm: A) => readonly Ceiling[],
): readonly Ceiling[] {
  const all = arms.flatMap((arm) =>
    ceilings(arm).map(({ label, value }) => ({ label, value: value / (arm.model?.scale ?? 1), arm: arm.name })),
  );
  return [...Map.groupBy(all, ({ label, value }) => `${label} ${value}`).values()].map((same) => {
    const { label, value, arm } = same[0] as (typeof same)[number];
    const whose = same.length === 1 ? arm : `${arm} and ${same.length - 1} more`;
    return { value, label: same.length === arms.length ? label : `${label} (${whose})` };
  });
}
