import { sizedLabel } from '../analysis/figures/operationKind';
import type { IopsScalingModel } from '../analysis/metadata/results';
import type { RunSummary } from '../analysis/summary';
import { grouped, plain, ratio } from '../common/format/units';
import type { Sentence } from '../common/page/arms';
import { VERDICTS, verdictClauses } from './scaleModel';
import { describeOperation, past } from './title';

/** Sentences on whether operations rose with metadata IOPS. Empty for a run without scale models that differ in IOPS alone. */
export function iopsSentences({ metadata }: RunSummary): Sentence[] {
  const scalingModels = metadata?.scalingModels ?? [];
  if (scalingModels.length === 0) return [];
  const clauses = verdictClauses(scalingModels, (own) => `for ${own.map(inWords).join('; ')}`);
  return [[`Operations per second should rise in proportion to the metadata IOPS: ${clauses}.`]];
}

/** `file create (60.1 op/s with 3,000 IOPS, 121 with 6,000, 242 with 12,000)` */
function inWords(scalingModel: IopsScalingModel): string {
  const { points, reason } = scalingModel;
  const rates = points.map(({ perSecond, iops }, index) =>
    index === 0 ? `${plain(perSecond)} op/s with ${grouped(iops)} IOPS` : `${plain(perSecond)} with ${grouped(iops)}`,
  );
  const known = rates.length === 0 ? [] : [rates.join(', ')];
  return `${describeOperation(sizedLabel(scalingModel))} (${[...known, ...(reason === null ? [] : [reason])].join('; ')})`;
}

/** Sentence on the gain from the fewest to the most IOPS, for the first operation that the scaling model was judged by: the main result on the model. */
export function iopsFindings({ metadata, comparisons }: RunSummary): Sentence[] {
  const [scalingModel] = metadata?.scalingModels ?? [];
  const [min, max] = [scalingModel?.points[0], scalingModel?.points.at(-1)];
  if (scalingModel === undefined || min === undefined || max === undefined || min === max) return [];
  const compared = comparisons.find(
    (one) => one.arm === max.arm && one.baseline === min.arm && one.operation === sizedLabel(scalingModel),
  );
  // As the sentence on all comparisons says it.
  const times = compared?.estimate ?? max.perSecond / min.perSecond;
  return [
    [
      `With ${plain(max.iops / min.iops)} × the metadata IOPS, `,
      { arm: max.arm },
      ` ${past({ id: scalingModel.operation, ...(scalingModel.fileBytes && { fileBytes: scalingModel.fileBytes }) })} ${ratio(times)} × as fast as `,
      { arm: min.arm },
      `: proportional scaling is ${VERDICTS[scalingModel.verdict]}.`,
    ],
  ];
}
