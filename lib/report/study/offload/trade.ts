import type { RunSummary } from '../../../analysis/summary';
import { offloadBench } from '../../../benchmark/offload';
import { compressibilityLabel } from '../../../common/format/compressibilities';
import { NO_VALUE, plain, ratio } from '../../../common/format/units';
import type { Known } from '../../../common/known';
import type { Sentence } from '../../../common/page/arms';
import {
  type Block,
  type Chart,
  columns,
  numbers,
  printed,
  quantity,
  remark,
  type TableField,
  table,
  text,
} from '../../blocks';
import type { Section } from '../../sections/section';
import { cpuChart, nameOf, tradeChart } from './figure';
import { allPoints, cpuPerGB, pointsOf, type TradePoint } from './points';

const isOwn = (run: RunSummary): boolean => run.benchmark === offloadBench.name;

/** Cost and benefit of compression: throughput, ratio and processor time of each algorithm and level. */
export const trade: Section = {
  id: 'compression-cost',
  title: 'What compression costs, and brings',
  isResult: true,
  after: null,
  headline: (run) => (isOwn(run) ? sentences(pointsOf(run)) : []),
  blocks(run) {
    if (!isOwn(run)) return [];
    const points = allPoints(run);
    if (points.length === 0) return [];
    const charts = [tradeChart(points, 'trade'), cpuChart(points, 'cpu-per-gb')].filter(
      (chart): chart is Chart => chart !== null,
    );
    return [
      text(
        'Medians over the repeats. The ratio is that of the bytes that users wrote to the bytes that were stored, read back after each write; a GB is 10⁹ bytes before compression.',
      ),
      { kind: 'charts', charts, figures: [printed('Figures: throughput, ratio and processor time', figures(points))] },
      ...cpuTimeNotes(run),
      ...elsewhere(run),
    ];
  },
};

function figures(points: readonly TradePoint[]): Block {
  const field = ({ value, reason }: Known, words: (value: number | null) => string): TableField =>
    quantity(value, words, { reason, below: reason });
  const milliseconds = (value: number | null): string => (value === null ? NO_VALUE : plain(value * 1000));
  return table({
    caption: 'Throughput, ratio and processor time by arm',
    captionHidden: true,
    columns: [
      ...columns('Arm', 'Data'),
      ...numbers('Write, MB/s', 'Ratio', 'Servers, s/GB', 'Clients, s/GB', '99 % of writes within, ms'),
    ],
    rows: points.map((point) => [
      point.from === undefined ? { arm: point.arm } : nameOf(point),
      compressibilityLabel(point.compressibility),
      field(point.throughputMBps, plain),
      field(point.ratio, ratio),
      field(point.serverCpuPerGB, plain),
      // Only a client that compresses counts its processors.
      point.clientCpuPerGB.value === null ? NO_VALUE : field(point.clientCpuPerGB, plain),
      point.latencyP99.value === null ? NO_VALUE : field(point.latencyP99, milliseconds),
    ]),
  });
}

/** Explains what the processor time includes, once for all arms with the same explanation. */
function cpuTimeNotes({ record }: RunSummary): Block[] {
  const words = new Set((record.manifest?.arms ?? []).flatMap(({ serverCpu }) => serverCpu ?? []));
  return [...words].map((word) => remark(`The servers’ processor time is that of ${word}.`));
}

/** Note that levels in the lab are those of another compressor. */
function elsewhere({ lab }: RunSummary): Block[] {
  return lab
    ? [
        remark(
          'In the lab Btrfs compresses in the place of ZFS: LZO for lz4, zlib for gzip, zstd for zstd, each in extents of 128 KiB. A level’s processor time is real, and that of this machine; hardware offload was not tried.',
        ),
      ]
    : [];
}

/**
 * The arm without compression against the cheapest and the dearest level by processor time; where that is not known, against those that store most and
 * least.
 */
function sentences(points: readonly TradePoint[]): Sentence[] {
  const targets = [...new Set(points.map(({ compressibility }) => compressibility))];
  return targets.flatMap((target): Sentence[] => {
    const all = points.filter((point) => point.compressibility === target);
    const known = all.filter((point) => cpuPerGB(point) !== null);
    const own = known.length > 0 ? known : all.filter(({ throughputMBps }) => throughputMBps.value !== null);
    const price = (point: TradePoint): number => cpuPerGB(point) ?? point.ratio.value ?? 0;
    const [off] = own.filter(({ family, clientCpuPerGB }) => family === 'off' && clientCpuPerGB.value === null);
    const compressed = own.filter((point) => point !== off && (point.ratio.value ?? 1) > 1.05);
    const [cheapest, ...dearer] = [...compressed].sort((a, b) => price(a) - price(b));
    const dearest = dearer.at(-1);
    if (off === undefined || cheapest === undefined || dearest === undefined) return [];
    const taken = (point: TradePoint): string => {
      const cpu = cpuPerGB(point);
      return cpu === null ? '' : ` for ${plain(cpu)} s of processor time per GB`;
    };
    const said = (point: TradePoint): string =>
      ` wrote ${plain(point.throughputMBps.value)} MB/s at ${ratio(point.ratio.value)}:1${taken(point)}`;
    return [
      [
        `On data made for ${compressibilityLabel(target)}, `,
        { arm: off.arm },
        ` wrote ${plain(off.throughputMBps.value)} MB/s${taken(off)}; `,
        { arm: cheapest.arm },
        `${said(cheapest)}, and `,
        { arm: dearest.arm },
        `${said(dearest)}.`,
      ],
    ];
  });
}
