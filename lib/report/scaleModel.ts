import { findingOf } from '../analysis/compare/pairs';
import { sizedLabel } from '../analysis/figures/operationKind';
import type { ScalingVerdict } from '../analysis/limits/known';
import type { IopsScalingModel } from '../analysis/metadata';
import type { RunSummary } from '../analysis/summary';
import { keyOf, ownValue } from '../common/collections';
import { compressibilityLabel } from '../common/format/text';
import { bytes, grouped, plain, ratio, ratioRange } from '../common/format/units';
import type { Sentence } from '../common/page/arms';
import type { ScaleModel, ThrottledFigure } from '../schema/model';
import { describeOperation } from '../workload/lookup';
import { armNames } from './substitutes';
import { FINDINGS, past } from './title';

const FIGURES: Readonly<Record<ThrottledFigure['name'], string>> = {
  disk_write: 'writes to disk',
  disk_read: 'reads from disk',
  network_write: 'network to the servers',
  network_read: 'network from the servers',
  client_write: 'each client’s link to the servers',
  client_read: 'each client’s link from the servers',
};

/** Sentences on the throttled rates of each arm's scale model, and on those left free. Empty for a run without a model. */
export function modelSentences(run: RunSummary): Sentence[] {
  const arms = run.arms.flatMap(({ name, deployed }) => (deployed?.model ? [{ name, model: deployed.model }] : []));
  const groups = Map.groupBy(arms, ({ model: { held, metadata } }) =>
    keyOf(...held.map(({ setMBps }) => setMBps), metadata?.setCreatesPerSecond ?? null),
  );
  const sentences = [...groups.values()].map((group): Sentence => {
    const names = armNames(group.map(({ name }) => name));
    return ['Limits applied to ', ...names, `: ${held(group.map(({ model }) => model))}.`];
  });
  const free = new Set(arms.flatMap(({ model }) => model.free));
  return free.size === 0 ? sentences : [...sentences, [`Not limited: ${[...free].join('; ')}.`]];
}

/** `writes to disk 28.8 MB/s (calibrated 28.5–28.7)` and so on. */
function held(models: readonly ScaleModel[]): string {
  const [first] = models as [ScaleModel];
  const figures = first.held.map(({ name, setMBps }) => {
    const measured = models.flatMap((model) => model.held.find((one) => one.name === name)?.measuredMBps ?? []);
    return `${FIGURES[name]} ${plain(setMBps)} MB/s (calibrated ${range(measured)})`;
  });
  // Without one there are no servers: the disks are the client's own.
  const network = first.held.some(({ name }) => name === 'network_write');
  return [
    ...figures,
    ...creates(models),
    `data waiting in ${network ? 'the servers’ memory' : 'memory'} ${bytes(first.dirtyBytes)}`,
  ].join(', ');
}

/** Throttles of the metadata servers, for arms that differ in them. */
function creates(models: readonly ScaleModel[]): string[] {
  const metadata = models[0]?.metadata;
  if (metadata === undefined) return [];
  const calibrated = range(models.flatMap((model) => model.metadata?.measuredCreatesPerSecond ?? []));
  const writes = `${plain(metadata.writesPerSecond)} writes per second of the metadata server’s disk`;
  return [`file creates ${plain(metadata.setCreatesPerSecond)}/s (calibrated ${calibrated}), by ${writes}`];
}

/** `28.5–28.7`, or one figure where they are alike. */
export function range(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map(plain) as [string, string];
  return low === high ? low : `${low}–${high}`;
}

/** The scaling model's verdicts in words, a sentence per operation, with its knee. */
export function scalingSentences({ analysis: { scalingModel } }: RunSummary): Sentence[] {
  const { verdicts = [], knees = [] } = scalingModel ?? {};
  return [...Map.groupBy(verdicts, ({ operation }) => operation)].map(([operation, own]): Sentence => {
    const clauses = verdictClauses(own, (cells) => `at ${cells.map(lawCell).join(', ')}`);
    const knee = knees.find((one) => one.operation === operation);
    const at =
      knee === undefined
        ? ''
        : ` The knee is at ${ratio(knee.measured)}:1 as measured, and at ${ratio(knee.expected)}:1 as network ÷ disk.`;
    return [
      `With LZ4, a ${operation} should be faster by the compression ratio, up to the network limit: ${clauses}.${at}`,
    ];
  });
}

export const VERDICTS: Readonly<Record<ScalingVerdict['verdict'], string>> = {
  reproduced: 'reproduced in the lab',
  'not reproduced': 'not reproduced in the lab',
  inconclusive: 'inconclusive',
};

export const verdictClauses = <T extends Pick<ScalingVerdict, 'verdict'>>(
  all: readonly T[],
  inWords: (own: readonly T[]) => string,
): string =>
  Object.entries(VERDICTS)
    .flatMap(([verdict, words]) => {
      const own = all.filter((one) => one.verdict === verdict);
      return own.length === 0 ? [] : `${words} ${inWords(own)}`;
    })
    .join('; ');

function lawCell(verdict: ScalingVerdict): string {
  const { compressibility, measured, expected } = verdict;
  const none = findingOf(verdict) === 'negligible' ? ` and ${FINDINGS.negligible}` : '';
  return `${compressibilityLabel(compressibility)} (${ratio(measured)} ×${none}, expected ${ratio(expected)} ×)`;
}

/** ` (here Btrfs with LZO)` for an arm whose codec another one replaces; nothing for others. */
function substituteOf(arms: RunSummary['arms'], name: string): string {
  const actually = arms.find((one) => one.name === name)?.deployed?.actually ?? '';
  const codec = /\bbtrfs\b.*compress-force=(\w+)/i.exec(actually)?.[1];
  return codec === undefined ? '' : ` (here Btrfs with ${codec.toUpperCase()})`;
}

/** Main results of a run on the scale model, a sentence per operation: the gain from compression and the limit, below the knee and then past it. */
export function scalingFindings({ analysis: { scalingModel }, arms }: RunSummary): Sentence[] {
  const gains = (scalingModel?.verdicts ?? []).filter(({ expected }) => expected > GAIN);
  return [...Map.groupBy(gains, ({ arm, operation }) => keyOf(arm, operation)).values()].flatMap((own): Sentence[] => {
    const sorted = [...own].sort((a, b) => (a.ratio ?? 0) - (b.ratio ?? 0));
    // The most telling of each side: as far as the disk carries, and as far past the knee as was measured.
    const below = sorted.findLast(({ limitedBy }) => limitedBy !== 'server_network');
    const beyond = sorted.findLast(({ limitedBy }) => limitedBy === 'server_network');
    const [first, second] = [below ?? beyond, below && beyond];
    if (first === undefined) return [];
    const { arm, baseline, kind } = first;
    const more = second && `on data that compressed ${ratio(second.ratio)}:1, ${times(second)}${outcome(second)}`;
    return [
      [
        `On data that compressed ${ratio(first.ratio)}:1, `,
        { arm },
        `${substituteOf(arms, arm)} ${past(kind)} ${times(first)} as fast as `,
        { arm: baseline },
        outcome(first),
        more === undefined ? '.' : `; ${more}.`,
      ],
    ];
  });
}

/** Smallest gain by the scaling model that is worth a sentence. */
const GAIN = 1.1;

/** `2.37 × (2.16–2.59)` */
const times = ({ measured, interval }: ScalingVerdict): string =>
  `${ratio(measured)} ×${interval === null ? '' : ` (${ratioRange(interval)})`}`;

const LIMITS: Readonly<Record<string, string>> = { disk: 'disk', disk_compressed: 'disk', server_network: 'network' };

/** `, a real difference, and the disk was the limit` */
function outcome(verdict: ScalingVerdict): string {
  const finding = findingOf(verdict);
  const real = finding === null ? 'in too few pairs to rule out chance' : FINDINGS[finding];
  const limit = ownValue(LIMITS, verdict.limitedBy ?? '');
  return `, ${real}, and ${limit === undefined ? 'neither disk nor network' : `the ${limit}`} was the limit`;
}

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
  const known = [rates.join(', '), reason].filter((part) => part);
  return `${describeOperation(sizedLabel(scalingModel))} (${known.join('; ')})`;
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
      ` ${past({ id: scalingModel.operation, fileBytes: scalingModel.fileBytes ?? undefined })} ${ratio(times)} × as fast as `,
      { arm: min.arm },
      `: proportional scaling is ${VERDICTS[scalingModel.verdict]}.`,
    ],
  ];
}
