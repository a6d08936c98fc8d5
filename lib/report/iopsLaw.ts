import { sizedLabel } from '../analysis/figures/operationKind';
import type { IopsLaw } from '../analysis/metadata/results';
import type { RunSummary } from '../analysis/summary';
import { grouped, plain, ratio } from '../common/format/units';
import type { Sentence } from '../common/page/arms';
import { VERDICTS, verdictClauses } from './scaleModel';
import { operationWords, past } from './title';

/** Sentences on whether operations rose with metadata IOPS. Empty for a run without scale models that differ in IOPS alone. */
export function iopsSentences({ metadata }: RunSummary): Sentence[] {
  const laws = metadata?.laws ?? [];
  if (laws.length === 0) return [];
  const clauses = verdictClauses(laws, (own) => `for ${own.map(inWords).join('; ')}`);
  return [[`That operations rise in proportion to the metadata IOPS: ${clauses}.`]];
}

/** `file create (60.1 op/s with 3,000 IOPS, 121 with 6,000, 242 with 12,000)` */
function inWords(law: IopsLaw): string {
  const { points, reason } = law;
  const rates = points.map(({ perSecond, iops }, index) =>
    index === 0 ? `${plain(perSecond)} op/s with ${grouped(iops)} IOPS` : `${plain(perSecond)} with ${grouped(iops)}`,
  );
  const known = rates.length === 0 ? [] : [rates.join(', ')];
  return `${operationWords(sizedLabel(law))} (${[...known, ...(reason === null ? [] : [reason])].join('; ')})`;
}

/** Sentence on the gain from the fewest to the most IOPS, for the first operation that the law was judged by: the main result on the model. */
export function iopsFindings({ metadata, comparisons }: RunSummary): Sentence[] {
  const [law] = metadata?.laws ?? [];
  const [least, most] = [law?.points[0], law?.points.at(-1)];
  if (law === undefined || least === undefined || most === undefined || least === most) return [];
  const compared = comparisons.find(
    (one) => one.arm === most.arm && one.baseline === least.arm && one.operation === sizedLabel(law),
  );
  // As the sentence on all comparisons says it.
  const times = compared?.estimate ?? most.perSecond / least.perSecond;
  return [
    [
      `With ${plain(most.iops / least.iops)} × the metadata IOPS, `,
      { arm: most.arm },
      ` ${past({ id: law.operation, ...(law.fileBytes && { fileBytes: law.fileBytes }) })} ${ratio(times)} × as fast as `,
      { arm: least.arm },
      `: the law of metadata IOPS is ${VERDICTS[law.verdict]}.`,
    ],
  ];
}
