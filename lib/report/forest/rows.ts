import type { Comparison } from '../../analysis/compare/comparisons';
import { type Finding, findingOf } from '../../analysis/compare/inference';
import { describeCompressibility } from '../../common/format/compressibilities';
import { ratio, ratioRange } from '../../common/format/units';

/** A comparison with a ratio. */
export type Drawn = Comparison & { readonly estimate: number };

/** A comparison as a row of the plot. */
export interface Row {
  readonly arm: string;
  readonly name: string;
  readonly words: string;
  readonly x: number;
  readonly index: number;
  readonly low: number;
  readonly high: number;
  readonly title: string;
}

/** Operations whose data have no compressibility of their own. */
function butFor(drawn: readonly Drawn[]): string {
  const others = new Set(
    drawn.filter(({ compressibility }) => compressibility === null).map(({ operation }) => operation),
  );
  return others.size === 0 ? '' : ` but for ${[...others].join(', ')}`;
}

/** A row for each comparison, and what all of them share, where only their arms tell them apart. */
export function rowsOf(
  drawn: readonly Drawn[],
  verdicts: Readonly<Record<Finding, string>>,
  all = drawn,
): { readonly rows: Row[]; readonly shared: string } {
  const several = new Set(all.map(({ arm }) => arm)).size > 1;
  const data = new Set(all.flatMap(({ compressibility }) => compressibility ?? []));
  const [only = null] = data.size === 1 ? data : [];
  const works = drawn.map(({ operation, compressibility }) =>
    [
      operation.replaceAll('_', ' '),
      ...(compressibility === null || compressibility === only ? [] : [describeCompressibility(compressibility)]),
    ].join(', '),
  );
  const alike = several && new Set(works).size === 1;
  const rows = drawn.map((one, index): Row => {
    const { arm, estimate, interval } = one;
    const name = alike ? arm : [...(several ? [arm] : []), works[index]].join(', ');
    const finding = findingOf(one);
    const range = interval === null ? '' : ` (${ratioRange(interval)})`;
    const words = `${ratio(estimate)} ×${range}, ${finding === null ? 'too few to tell' : verdicts[finding]}`;
    const { low, high } = interval ?? { low: estimate, high: estimate };
    return { arm, name, words, low, high, index, x: estimate, title: `${name}: ${words}` };
  });
  const common = [
    ...(alike ? [works[0]] : []),
    ...(only === null ? [] : [`${describeCompressibility(only)}${butFor(drawn)}`]),
  ];
  return { rows, shared: common.length === 0 ? '' : `: ${common.join(', ')}` };
}
