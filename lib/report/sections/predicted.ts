import {
  isAsPredicted,
  NEAR_PERCENT,
  type PredictedAgainstMeasured,
  type PredictedRate,
} from '../../analysis/limits/predicted';
import { compressibilityLabel } from '../../common/format/text';
import { counted, NO_VALUE, percentChange as percent, precise, ratio } from '../../common/format/units';
import { limitLabel } from '../../storage/limitNames';
import type { Place } from '../../store/platform';
import {
  armColumn,
  type Block,
  column,
  joined,
  line,
  number,
  quantity,
  remark,
  type TableBlock,
  type Text,
  tableOf,
  text,
} from '../blocks';
import { withoutEmptyColumns } from '../shown';
import { byWorkAndArm, describeSized, describeWork } from '../title';
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
    const all = [rateTable(some, place), lawTable(rates), ratioTable(ratios), operationTable(operations)];
    const tables = all.filter(({ rows }) => rows.length > 0);
    if (tables.length === 0 && results.ratioReason === null) return [];
    return [text(sentences(results, place).join(' ')), ...tables.map(withoutEmptyColumns), ...untested(none)];
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
  const asPredicted = tested.filter(isAsPredicted).length;
  const agreeing = judged.filter(({ agrees }) => agrees).length;
  return [
    ...[reason, ratioReason].map((because) => because !== null && `${because}.`),
    some && 'The error is predicted ÷ measured − 1; above 0, the prediction was too high.',
    tested.length > 0 &&
      `${asPredicted} of ${counted(tested.length, 'rate')} ${tested.length === 1 ? 'is' : 'are'} as predicted: ${between}within ${NEAR_PERCENT} % of ${of}.`,
    judged.length > 0 && `The predicted limit was the bottleneck in ${agreeing} of ${counted(judged.length, 'case')}.`,
  ].filter((sentence) => sentence !== false);
}

function rateTable(rates: PredictedAgainstMeasured['rates'], place: Place): TableBlock {
  const bursts = rates.some(({ predictedMBps }) => predictedMBps?.burst !== predictedMBps?.baseline);
  const what = place === 'model' ? 'throttled limits' : 'documented limits of this configuration';
  return tableOf(rates, { caption: `Rates: the ${what} at the measured ratio, MB/s` }, [
    column('Operation', describeWork),
    armColumn(),
    number('Ratio', (one) => (one.ratio === null ? '' : quantity(one.ratio, ratio))),
    number('Sustained', ({ predictedMBps }) => predictedMBps?.baseline ?? null, precise),
    number('Burst', ({ predictedMBps }) => (bursts ? quantity(predictedMBps?.burst ?? null, precise) : '')),
    number('Measured', ({ levelsMBps, measuredMBps }) =>
      levelsMBps === null
        ? quantity(measuredMBps, precise)
        : `${precise(levelsMBps.burst)}, then ${precise(levelsMBps.baseline)}`,
    ),
    number('Error', ({ errorPercent }) => errorPercent.baseline, percent),
    number('Error, burst', ({ errorPercent }) => (bursts ? quantity(errorPercent.burst, percent) : '')),
    column('Limit predicted', describeBottleneck),
    column('Limit found', ({ limitedBy }) => (limitedBy === null ? 'none reached' : limitLabel(limitedBy))),
    column('Not predicted because', ({ reason }) => reason ?? ''),
  ]);
}

function lawTable(rates: PredictedAgainstMeasured['rates']): TableBlock {
  const caption =
    'Rates with compression: the rate measured without it × the measured ratio, up to the network limit, MB/s';
  const known = rates.flatMap(({ fromUncompressed, ...one }) =>
    fromUncompressed === null ? [] : { ...one, fromUncompressed },
  );
  return tableOf(known, { caption }, [
    column('Operation', describeWork),
    armColumn(),
    number('Uncompressed', ({ fromUncompressed }) => fromUncompressed.measuredMBps, precise),
    number('Ratio', (one) => one.ratio, ratio),
    number('Predicted', ({ fromUncompressed }) => fromUncompressed.predictedMBps, precise),
    number('Measured', ({ levelsMBps, measuredMBps }) => levelsMBps?.burst ?? measuredMBps, precise),
    number('Error', ({ fromUncompressed }) => fromUncompressed.errorPercent, percent),
    column('Not predicted because', ({ fromUncompressed }) => fromUncompressed.reason ?? ''),
  ]);
}

function ratioTable(ratios: PredictedAgainstMeasured['ratios']): TableBlock {
  const caption = 'Compression ratio: LZ4 on this data pattern in records of 128 KiB, predicted and measured';
  return tableOf(ratios, { caption }, [
    column('Requested', ({ compressibility }) => compressibilityLabel(compressibility)),
    armColumn(),
    column('Data', ({ pattern, tool }) => (tool === null ? pattern : `${pattern} by ${tool}`)),
    number('Predicted', (one) => one.predicted, precise),
    number('Measured', ({ measured }) => measured, precise),
    number('Error', ({ errorPercent }) => errorPercent, percent),
    column('Without a figure because', ({ reason }) => reason ?? ''),
  ]);
}

function operationTable(operations: PredictedAgainstMeasured['operations']): TableBlock {
  const found = { server: 'the metadata servers', client: 'the clients', neither: 'inconclusive' } as const;
  const caption = 'Metadata: the documented rate of the metadata IOPS, in operations per second of all clients';
  return tableOf(operations, { caption }, [
    column('Operation', describeSized),
    armColumn(),
    number('Predicted', ({ predictedPerSecond }) => predictedPerSecond, precise),
    number('Measured', ({ measuredPerSecond }) => measuredPerSecond, precise),
    number('Error', ({ errorPercent }) => errorPercent, percent),
    column('Limit predicted', ({ predictedPerSecond }) => (predictedPerSecond === null ? '' : found.server)),
    column('Limit found', ({ boundBy }) => (boundBy === null ? '' : found[boundBy])),
    column('Not predicted because', ({ reason }) => reason ?? ''),
  ]);
}

function describeBottleneck({ binding }: PredictedRate): string {
  if (binding === null) return NO_VALUE;
  const { baseline, burst } = binding;
  return baseline === burst ? limitLabel(baseline) : `${limitLabel(baseline)}; bursting, ${limitLabel(burst)}`;
}
