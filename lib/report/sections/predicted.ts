import type { PredictedAgainstMeasured } from '../../analysis';
import { sizedLabel } from '../../analysis/figures/operationKind';
import { isAsPredicted, NEAR_PERCENT, type PredictedRate } from '../../analysis/limits/predicted';
import { compressibilityLabel } from '../../common/format/text';
import { counted, NO_VALUE, percentChange as percent, precise, ratio } from '../../common/format/units';
import { limitLabel } from '../../storage/limitNames';
import type { Place } from '../../store/platform';
import {
  type Block,
  columns,
  joined,
  line,
  numbers,
  quantity,
  remark,
  type TableBlock,
  type Text,
  table,
  text,
} from '../blocks';
import { withoutEmptyColumns } from '../render/shown';
import { byWorkAndArm } from '../title';
import type { Section } from './section';

/** Predictions from before the run, by `fsxbench predict` and by the patterns of the data, against the measurements. */
export const predicted: Section = {
  id: 'predicted',
  title: 'Predicted against measured',
  isResult: true,
  blocks({ analysis: { predicted: results }, arms, place }) {
    const { ratios, operations } = results;
    const rates = byWorkAndArm(results.rates, arms);
    const [some, none] = [rates.filter(isTested), rates.filter((one) => !isTested(one))];
    const tables = [rateTable(some, place), lawTable(rates), ratioTable(ratios), operationTable(operations)].filter(
      ({ rows }) => rows.length > 0,
    );
    return tables.length === 0 && results.ratioReason === null
      ? []
      : [text(sentences(results, place).join(' ')), ...tables.map(withoutEmptyColumns), ...untested(none)];
  },
};

const isTested = ({ predictedMBps }: PredictedRate): boolean => predictedMBps !== null;

/** Rates without a prediction, with the reason, which all rates of an arm may share. */
const untested = (rates: readonly PredictedRate[]): Block[] =>
  [...Map.groupBy(rates, ({ reason }) => reason ?? '')].map(([reason, own]) => {
    const arms = [...new Set(own.map(({ arm }) => arm))].map((arm): Text => ({ arm }));
    return remark(line`Not predicted for ${counted(own.length, 'rate')} of ${joined(arms)}: ${reason}.`);
  });

/** Summarises the accuracy of the predictions; empty if nothing was predicted. */
function sentences(
  { rates, ratios, operations, reason, ratioReason }: PredictedAgainstMeasured,
  place: Place,
): string[] {
  const between = place === 'model' ? '' : 'between the documented baseline and burst, or ';
  const of = place === 'model' ? 'the throttled limits' : 'them';
  const tested = rates.filter(({ predictedMBps, measuredMBps }) => predictedMBps !== null && measuredMBps !== null);
  const judged = rates.filter(({ agrees }) => agrees !== null);
  const some = tested.length + ratios.length + operations.length > 0;
  return [
    ...[reason, ratioReason].flatMap((because) => (because === null ? [] : [`${because}.`])),
    ...(some ? ['The error is predicted ÷ measured − 1; above 0, the prediction was too high.'] : []),
    ...(tested.length === 0
      ? []
      : [
          `${tested.filter(isAsPredicted).length} of ${counted(tested.length, 'rate')} ${tested.length === 1 ? 'is' : 'are'} as predicted: ${between}within ${NEAR_PERCENT} % of ${of}.`,
        ]),
    ...(judged.length === 0
      ? []
      : [
          `The predicted limit was the bottleneck in ${judged.filter(({ agrees }) => agrees).length} of ${counted(judged.length, 'case')}.`,
        ]),
  ];
}

function rateTable(rates: PredictedAgainstMeasured['rates'], place: Place): TableBlock {
  const bursts = rates.some(({ predictedMBps }) => predictedMBps?.burst !== predictedMBps?.baseline);
  return table({
    caption: `Rates: the ${place === 'model' ? 'throttled limits' : 'documented limits of this configuration'} at the measured ratio, MB/s`,
    columns: [
      ...columns('Operation', 'Arm'),
      ...numbers('Ratio', 'Sustained', 'Burst', 'Measured', 'Error', 'Error, burst'),
      ...columns('Limit predicted', 'Limit found', 'Not predicted because'),
    ],
    rows: rates.map((one) => [
      workOf(one),
      { arm: one.arm },
      one.ratio === null ? '' : quantity(one.ratio, ratio),
      quantity(one.predictedMBps?.baseline ?? null, precise),
      bursts ? quantity(one.predictedMBps?.burst ?? null, precise) : '',
      one.levelsMBps === null
        ? quantity(one.measuredMBps, precise)
        : `${precise(one.levelsMBps.burst)}, then ${precise(one.levelsMBps.baseline)}`,
      quantity(one.errorPercent.baseline, percent),
      bursts ? quantity(one.errorPercent.burst, percent) : '',
      describeBottleneck(one),
      one.limitedBy === null ? 'none reached' : limitLabel(one.limitedBy),
      one.reason ?? '',
    ]),
  });
}

function lawTable(rates: PredictedAgainstMeasured['rates']): TableBlock {
  return table({
    caption: 'Rates with compression: the rate measured without it × the measured ratio, up to the network limit, MB/s',
    columns: [
      ...columns('Operation', 'Arm'),
      ...numbers('Uncompressed', 'Ratio', 'Predicted', 'Measured', 'Error'),
      ...columns('Not predicted because'),
    ],
    rows: rates.flatMap((one) => {
      const { fromUncompressed: scalingModel, levelsMBps, measuredMBps } = one;
      if (scalingModel === null) return [];
      return [
        [
          workOf(one),
          { arm: one.arm },
          quantity(scalingModel.measuredMBps, precise),
          quantity(one.ratio, ratio),
          quantity(scalingModel.predictedMBps, precise),
          quantity(levelsMBps?.burst ?? measuredMBps, precise),
          quantity(scalingModel.errorPercent, percent),
          scalingModel.reason ?? '',
        ],
      ];
    }),
  });
}

function ratioTable(ratios: PredictedAgainstMeasured['ratios']): TableBlock {
  return table({
    caption: 'Compression ratio: LZ4 on this data pattern in records of 128 KiB, predicted and measured',
    columns: [
      ...columns('Requested', 'Arm', 'Data'),
      ...numbers('Predicted', 'Measured', 'Error'),
      ...columns('Without a figure because'),
    ],
    rows: ratios.map(({ arm, compressibility, pattern, tool, predicted, measured, errorPercent, reason }) => [
      compressibilityLabel(compressibility),
      { arm },
      tool === null ? pattern : `${pattern} by ${tool}`,
      quantity(predicted, precise),
      quantity(measured, precise),
      quantity(errorPercent, percent),
      reason ?? '',
    ]),
  });
}

function operationTable(operations: PredictedAgainstMeasured['operations']): TableBlock {
  const found = { server: 'the metadata servers', client: 'the clients', neither: 'inconclusive' } as const;
  return table({
    caption: 'Metadata: the documented rate of the metadata IOPS, in operations per second of all clients',
    columns: [
      ...columns('Operation', 'Arm'),
      ...numbers('Predicted', 'Measured', 'Error'),
      ...columns('Limit predicted', 'Limit found', 'Not predicted because'),
    ],
    rows: operations.map((one) => [
      sizedLabel(one),
      { arm: one.arm },
      quantity(one.predictedPerSecond, precise),
      quantity(one.measuredPerSecond, precise),
      quantity(one.errorPercent, percent),
      one.predictedPerSecond === null ? '' : 'the metadata servers',
      one.boundBy === null ? '' : found[one.boundBy],
      one.reason ?? '',
    ]),
  });
}

const workOf = ({ operation, compressibility }: PredictedRate): string =>
  `${operation}${compressibility === null ? '' : ` at ${compressibilityLabel(compressibility)}`}`;

function describeBottleneck({ binding }: PredictedRate): string {
  if (binding === null) return NO_VALUE;
  const { baseline, burst } = binding;
  return baseline === burst ? limitLabel(baseline) : `${limitLabel(baseline)}; bursting, ${limitLabel(burst)}`;
}
