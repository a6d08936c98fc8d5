import type { PredictedRate } from '../analysis/predicted';
import type { RunSummary } from '../analysis/summary';
import { TOLERANCE } from '../claims';
import { targetLabel } from '../kit/format/targets';
import { bytes, plain, ratio } from '../kit/format/units';
import { groupBy, keyOf } from '../kit/groupBy';
import type { Part, Sentence } from '../kit/page/arms';
import type { HeldFigure, ScaleModel } from '../schema/model';

const FIGURES: Readonly<Record<HeldFigure['name'], string>> = {
  disk_write: 'writes to disk',
  disk_read: 'reads from disk',
  network_write: 'network to the servers',
  network_read: 'network from the servers',
};

/** What the scale model held of each arm, and what it left free. Empty for a run without one. */
export function modelSentences({ record }: RunSummary): Sentence[] {
  const arms = (record.manifest?.arms ?? []).flatMap(({ name, model }) =>
    model === undefined ? [] : [{ name, model }],
  );
  const groups = groupBy(arms, ({ model }) => keyOf(...model.held.map(({ setMBps }) => String(setMBps))));
  return [...groups.values()].flatMap((group): Sentence[] => {
    const [first] = group as [(typeof arms)[number]];
    const names = group.flatMap(({ name }, index): Part[] => [index === 0 ? '' : ' and ', { arm: name }]);
    return [
      ['Held of ', ...names, `: ${held(group.map(({ model }) => model))}.`],
      [`Not held: ${first.model.free.join('; ')}.`],
    ];
  });
}

/** `writes to disk 28.8 MB/s (calibrated 28.5–28.7)` and so on. */
function held(models: readonly ScaleModel[]): string {
  const [first] = models as [ScaleModel];
  const figures = first.held.map(({ name, setMBps }) => {
    const measured = models.flatMap((model) => model.held.find((one) => one.name === name)?.measuredMBps ?? []);
    const [low, high] = [Math.min(...measured), Math.max(...measured)].map((value) => plain(value));
    return `${FIGURES[name]} ${plain(setMBps)} MB/s (calibrated ${low === high ? low : `${low}–${high}`})`;
  });
  return [...figures, `data waiting in the servers’ memory ${bytes(first.dirtyBytes)}`].join(', ');
}

/** Whether what LZ4 gained is what the law of compression says: the one kind of published statement that a scale model can decide. */
export function lawSentences(summary: RunSummary): Sentence[] {
  if (summary.place !== 'model') return [];
  const judged = summary.analysis.predicted.rates.flatMap((rate) => {
    const factor = lawFactor(rate);
    const found = summary.comparisons.find(
      ({ arm, operation, target, metric }) =>
        metric === 'throughput' && arm === rate.arm && operation === rate.operation && target === rate.target,
    );
    const middle = found?.estimate ?? found?.median ?? null;
    if (factor === null || found === undefined || middle === null) return [];
    const { low, high } = found.interval ?? { low: middle, high: middle };
    const holds = factor >= low * (1 - TOLERANCE) && factor <= high * (1 + TOLERANCE);
    return [{ rate, factor, middle, holds }];
  });
  const operations = groupBy(judged, ({ rate }) => rate.operation);
  return [...operations].map(([operation, own]): Sentence => {
    const where = (holds: boolean): string =>
      own
        .filter((one) => one.holds === holds)
        .map(
          ({ rate, factor, middle }) =>
            `${targetLabel(rate.target)} (${ratio(middle)} ×, the law says ${ratio(factor)} ×)`,
        )
        .join(', ');
    const clauses = [
      ...(own.some(({ holds }) => holds) ? [`reproduced in the scale model at ${where(true)}`] : []),
      ...(own.some(({ holds }) => !holds) ? [`not reproduced in it at ${where(false)}`] : []),
    ];
    return [
      `That LZ4’s ${operation} is as many times faster as the data shrink, up to the network: ${clauses.join('; ')}.`,
    ];
  });
}

/** As many times faster as the law says; `null` where it says nothing. */
function lawFactor({ fromUncompressed }: PredictedRate): number | null {
  const { predictedMBps, measuredMBps } = fromUncompressed ?? { predictedMBps: null, measuredMBps: null };
  return predictedMBps === null || !measuredMBps ? null : predictedMBps / measuredMBps;
}
