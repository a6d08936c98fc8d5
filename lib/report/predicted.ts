import { limitLabel, type PredictedAgainstMeasured } from '../analysis';
import type { PredictedRate } from '../analysis/predicted';
import { targetLabel } from '../kit/format/targets';
import { counted, grouped, NO_VALUE, plain, ratio } from '../kit/format/units';
import type { Part } from '../kit/page/arms';
import { sizedName } from './metadata';

/** A table for every form of the report. Columns in which no row has anything to say are left out. */
export interface PredictedTable {
  readonly caption: string;
  readonly columns: readonly { readonly label: string; readonly numeric?: boolean }[];
  readonly rows: readonly (readonly Part[])[];
}

/** So near a rate is as predicted. MLPerf Storage takes results as replicated within 5 %. */
const NEAR_PERCENT = 5;

/** What the predictions came to, in words; empty where nothing was predicted. */
export function predictedSentences({ rates, ratios, operations, reason }: PredictedAgainstMeasured): string[] {
  const tested = rates.filter(({ predictedMBps, measuredMBps }) => predictedMBps !== null && measuredMBps !== null);
  const judged = rates.filter(({ agrees }) => agrees !== null);
  const some = tested.length + ratios.length + operations.length > 0;
  return [
    ...(reason === null ? [] : [`${reason}.`]),
    ...(some ? ['The error is predicted ÷ measured − 1: above 0, more was predicted than there was.'] : []),
    ...(tested.length === 0
      ? []
      : [
          `${tested.filter(isNear).length} of ${counted(tested.length, 'rate')} ${tested.length === 1 ? 'is' : 'are'} as predicted: between what is documented for good and in a burst, or within ${NEAR_PERCENT} % of that.`,
        ]),
    ...(judged.length === 0
      ? []
      : [
          `The limit that was found is one that was predicted in ${judged.filter(({ agrees }) => agrees).length} of ${counted(judged.length, 'case')}.`,
        ]),
  ];
}

function isNear({ errorPercent: { baseline, burst }, levelsMBps }: PredictedRate): boolean {
  if (baseline === null || burst === null) return false;
  if (levelsMBps !== null) return Math.abs(baseline) <= NEAR_PERCENT && Math.abs(burst) <= NEAR_PERCENT;
  return baseline <= NEAR_PERCENT && burst >= -NEAR_PERCENT;
}

/** The tables that the run has something for. */
export function predictedTables(predicted: PredictedAgainstMeasured): PredictedTable[] {
  return [rateTable(predicted), lawTable(predicted), ratioTable(predicted), operationTable(predicted)].flatMap(
    (table) => (table.rows.length === 0 ? [] : [withoutEmptyColumns(table)]),
  );
}

function rateTable({ rates }: PredictedAgainstMeasured): PredictedTable {
  return {
    caption: 'Rates: what is documented of this configuration at the ratio read back, MB/s',
    columns: [
      { label: 'Work' },
      { label: 'Arm' },
      { label: 'Ratio', numeric: true },
      { label: 'For good', numeric: true },
      { label: 'In a burst', numeric: true },
      { label: 'Measured', numeric: true },
      { label: 'Error', numeric: true },
      { label: 'Error of the burst', numeric: true },
      { label: 'Limit predicted' },
      { label: 'Limit found' },
      { label: 'Not predicted because' },
    ],
    rows: rates.map((one): Part[] => [
      workOf(one),
      { arm: one.arm },
      one.ratio === null ? '' : ratio(one.ratio),
      plain(one.predictedMBps?.baseline ?? null),
      plain(one.predictedMBps?.burst ?? null),
      one.levelsMBps === null
        ? plain(one.measuredMBps)
        : `${plain(one.levelsMBps.burst)}, then ${plain(one.levelsMBps.baseline)}`,
      percent(one.errorPercent.baseline),
      percent(one.errorPercent.burst),
      bindingWords(one),
      one.limitedBy === null ? 'none reached' : limitLabel(one.limitedBy),
      one.reason ?? '',
    ]),
  };
}

function lawTable({ rates }: PredictedAgainstMeasured): PredictedTable {
  return {
    caption: 'Rates with LZ4: what was measured without it × the ratio read back, up to the network, MB/s',
    columns: [
      { label: 'Work' },
      { label: 'Arm' },
      { label: 'Without LZ4', numeric: true },
      { label: 'Ratio', numeric: true },
      { label: 'Predicted', numeric: true },
      { label: 'Measured', numeric: true },
      { label: 'Error', numeric: true },
      { label: 'Not predicted because' },
    ],
    rows: rates.flatMap((one): Part[][] => {
      const { fromUncompressed: law, levelsMBps, measuredMBps } = one;
      if (law === null) return [];
      return [
        [
          workOf(one),
          { arm: one.arm },
          plain(law.measuredMBps),
          ratio(one.ratio),
          plain(law.predictedMBps),
          plain(levelsMBps?.burst ?? measuredMBps),
          percent(law.errorPercent),
          law.reason ?? '',
        ],
      ];
    }),
  };
}

function ratioTable({ ratios }: PredictedAgainstMeasured): PredictedTable {
  return {
    caption: 'Compression: what is known of the data under LZ4, in records of 128 KiB, against what was read back',
    columns: [
      { label: 'Asked for' },
      { label: 'Arm' },
      { label: 'Data' },
      { label: 'Predicted', numeric: true },
      { label: 'Read back', numeric: true },
      { label: 'Error', numeric: true },
      { label: 'Without a figure because' },
    ],
    rows: ratios.map(({ arm, target, pattern, tool, predicted, measured, errorPercent, reason }): Part[] => [
      targetLabel(target),
      { arm },
      tool === null ? pattern : `${pattern} by ${tool}`,
      ratio(predicted),
      ratio(measured),
      percent(errorPercent),
      reason ?? '',
    ]),
  };
}

function operationTable({ operations }: PredictedAgainstMeasured): PredictedTable {
  const found = { server: 'the metadata servers', client: 'the clients', neither: 'neither clearly' } as const;
  return {
    caption: 'Metadata: what is documented for the metadata IOPS, operations a second of all clients',
    columns: [
      { label: 'Operation' },
      { label: 'Arm' },
      { label: 'Predicted', numeric: true },
      { label: 'Measured', numeric: true },
      { label: 'Error', numeric: true },
      { label: 'Limit predicted' },
      { label: 'Limit found' },
      { label: 'Not predicted because' },
    ],
    rows: operations.map((one): Part[] => [
      sizedName(one.operation, one.fileBytes),
      { arm: one.arm },
      plain(one.predictedPerSecond),
      plain(one.measuredPerSecond),
      percent(one.errorPercent),
      one.predictedPerSecond === null ? '' : 'the metadata servers',
      one.boundBy === null ? '' : found[one.boundBy],
      one.reason ?? '',
    ]),
  };
}

function workOf({ operation, target }: PredictedRate): string {
  return `${operation}${target === null ? '' : ` at ${targetLabel(target)}`}`;
}

function bindingWords({ binding }: PredictedRate): string {
  if (binding === null) return NO_VALUE;
  const { baseline, burst } = binding;
  return baseline === burst ? limitLabel(baseline) : `${limitLabel(baseline)}; bursting, ${limitLabel(burst)}`;
}

/** `+4.2 %` */
function percent(value: number | null): string {
  if (value === null) return NO_VALUE;
  const shown = grouped(value, Math.abs(value) < 9.95 ? 1 : 0);
  return `${/[1-9]/.test(shown) && value > 0 ? '+' : ''}${shown} %`;
}

function withoutEmptyColumns({ caption, columns, rows }: PredictedTable): PredictedTable {
  const used = columns.map((_, index) => rows.some((row) => row[index] !== ''));
  const keep = <T>(list: readonly T[]): T[] => list.filter((_, index) => used[index]);
  return { caption, columns: keep(columns), rows: rows.map(keep) };
}
