import { keyOf } from '../../common/collections';
import { toMBps } from '../../common/format/units';
import { reasonsOf, type Sample } from '../../schema/sample';
import { kindOf, labelOf } from './operationKind';
import { spreadOf, statistics } from './statistics';

/** Everything measured of one metric for one arm, target and operation, in the samples that count. */
export type Cell = ReturnType<typeof cellOf>;

/** Cells of the measured phases by operation and metric in order of appearance, then by target and arm. */
export function cellsOf(
  counted: readonly Sample[],
  arms: readonly string[],
  targets: readonly (number | null)[],
): Cell[] {
  const measured = counted.filter(({ phase }) => phase === 'measure');
  const groups = Map.groupBy(measured, (one) => keyOf(labelOf(one), one.metric, one.compressibility, one.arm));
  const cells = [...groups.values()].map(cellOf);
  const operations = [...new Set(cells.map(({ operation, metric }) => keyOf(operation, metric)))];
  const rank = (cell: Cell): number[] => [
    operations.indexOf(keyOf(cell.operation, cell.metric)),
    targets.indexOf(cell.compressibility),
    arms.indexOf(cell.arm),
  ];
  return cells.sort((a, b) => rank(a).reduce((order, value, index) => order || value - (rank(b)[index] ?? 0), 0));
}

function cellOf(samples: readonly Sample[]) {
  const first = samples[0] as Sample;
  const isThroughput = samples.some(({ unit }) => toMBps(1, unit) !== null);
  const cellUnit = isThroughput ? 'MB/s' : first.unit;
  const values = samples.map(({ repeat, iteration, value, unit, reason = null, raw }) => {
    const inUnit = (amount: number): number | null =>
      isThroughput ? toMBps(amount, unit) : unit === cellUnit ? amount : null;
    const shown = value === null ? null : inUnit(value);
    const why = value === null ? (reason ?? 'no reason was given') : `its unit is ${unit}, not one of ${cellUnit}`;
    return { repeat, iteration, value: shown, reason: shown === null ? why : null, raw };
  });
  const known = values.flatMap(({ value }) => value ?? []);
  const spread = spreadOf(values);
  return {
    arm: first.arm,
    compressibility: first.compressibility,
    operation: labelOf(first),
    kind: kindOf(first),
    metric: first.metric,
    /** `MB/s` for every throughput, whatever the tool printed; else the sample's own unit. */
    unit: cellUnit,
    /** `ior 3.3.0 (ior-default)`: with which tools and patterns, in order of appearance. */
    tools: [...new Set(samples.map(toolOf).filter((tool) => tool !== ''))],
    samples: values,
    ...statistics(known),
    ...spread,
    ...(spread.coefficientOfVariation === null && { reason: withoutVariation(known, values) }),
  };
}

function withoutVariation(known: readonly number[], samples: Parameters<typeof reasonsOf>[0]): string {
  if (known.length === 0) return reasonsOf(samples).join('; ');
  return known.length === 1 ? 'one value has no variation' : 'a mean of 0 has no variation';
}

function toolOf({ tool, toolVersion, pattern }: Sample): string {
  const name = [tool, toolVersion].filter((part) => part !== null).join(' ');
  return pattern === null ? name : `${name} (${pattern})`.trim();
}
