import { advise, type Requirement } from '../advise';
import { checkRequirement } from '../advise/requirement';
import { describeOption, isFirstForCaveats } from '../advise/wording';
import { spaceAt } from '../analysis/figures/space';
import { busyness, isBeyond, isBursting, type LimitResult, modeOf, REACHED } from '../analysis/limits/limitedBy';
import type { RunSummary } from '../analysis/summary';
import { benchmarkOrNone } from '../benchmark/lookup';
import { incomparableByReason } from '../claims';
import { keyOf } from '../common/collections';
import { compressibilityLabel, sentenceCase, singleLine } from '../common/format/text';
import { counted, duration, grouped, plain, usd } from '../common/format/units';
import type { Sentence } from '../common/page/arms';
import { describeBasis } from '../price/cost';
import { HOURS_PER_MONTH } from '../price/prices';
import { describeLimit, limitSustains } from '../storage/limitNames';
import type { Place } from '../store/platform';
import type { TableField } from './blocks';
import { findings } from './findings';
import { isMarked, sideBySide } from './overview';
import { iopsSentences, range, scalingSentences } from './scaleModel';
import { programSentences } from './sections/program';
import { isQuantity, plainText, quantityText } from './shown';
import { listedParts } from './substitutes';
import { dataAxes } from './title';

interface ReaderAnswer {
  readonly question: string;
  /** True for an answer with figures of the run. They do not count as a result if the run is INVALID. */
  readonly isResult: boolean;
  readonly sentences: readonly Sentence[];
}

/** Answers to a reader's questions: bottlenecks, published figures, cost, purchase. A question that the run does not touch is left out. */
export function answers(summary: RunSummary): ReaderAnswer[] {
  return [
    {
      question: 'What limited it',
      isResult: true,
      sentences: [...limitSentences(summary), ...programSentences(summary)],
    },
    { question: 'The scaling model of compression', isResult: true, sentences: scalingSentences(summary) },
    { question: 'The scaling model of metadata IOPS', isResult: true, sentences: iopsSentences(summary) },
    { question: 'Burst', isResult: true, sentences: burstSentences(summary) },
    { question: 'Published figures', isResult: false, sentences: claimSentences(summary) },
    { question: 'Cost', isResult: true, sentences: costSentences(summary) },
    { question: 'What to buy', isResult: true, sentences: purchaseSentences(summary) },
  ].filter(({ sentences }) => sentences.length > 0);
}

export function validitySentence({ validity, issues }: RunSummary): string {
  const found = (['error', 'warning'] as const)
    .map((severity) => [issues.filter((issue) => issue.severity === severity).length, severity] as const)
    .flatMap(([count, severity]) => (count === 0 ? [] : counted(count, severity)))
    .join(' and ');
  if (validity === 'VALID') return 'No check found a fault.';
  if (validity === 'WARN') return `${found}: use the figures with caution.`;
  return `${found}: do not use the figures below until all errors are fixed.`;
}

function limitSentences({ analysis: { limits }, arms, place }: RunSummary): Sentence[] {
  const measured = limits.filter(({ measuredMBps }) => measuredMBps !== null);
  if (measured.length === 0) return [];
  const [only, ...others] = new Set(measured.map(({ reason }) => reason));
  if (others.length === 0 && only) return [[`Not available: ${only}.`]];
  return arms.flatMap(({ name: arm }): Sentence[] => {
    const own = measured.filter((one) => one.arm === arm);
    if (own.length === 0) return [];
    const unknown = own.find(({ reason }) => reason !== null);
    if (unknown) return [[{ arm }, `: not available: ${unknown.reason}.`]];
    if (own.length > LISTED && new Set(own.map(({ kind }) => dataAxes(kind))).size > MANY_AXES)
      return [[{ arm }, `: ${ofMany(own, place)}.`]];
    const groups = Map.groupBy(own, (one) =>
      keyOf(modeOf(one), one.limitedBy, String(isBeyond(one)), one.contradiction?.metric ?? null),
    );
    const clauses = [...groups.values()].map((group) => limitClause(group, own, place));
    return [[{ arm }, ` ${clauses.join('; ')}.`]];
  });
}

/** Operations of an arm, and their sizes of files and numbers of threads or nodes, beyond which they are counted, not listed. */
const [LISTED, MANY_AXES] = [6, 2];

/** `the disks limited 6 of 8 operations; no limit of the model was reached in 2` */
function ofMany(own: readonly LimitResult[], place: Place): string {
  const none = place === 'model' ? 'no limit of the model' : 'no documented limit';
  return [...Map.groupBy(own, ({ limitedBy }) => limitedBy)]
    .map(([name, { length }]) =>
      name === null
        ? `${none} was reached in ${length}`
        : `${describeLimit(name)} limited ${length} of ${counted(own.length, 'operation')}`,
    )
    .join('; ');
}

/** `wrote at 94–101 % of what the disks sustain, at 1:1 and 1.65:1` */
function limitClause(group: readonly LimitResult[], all: readonly LimitResult[], place: Place): string {
  const isModel = place === 'model';
  const [first] = group as [LimitResult];
  const name = first.limitedBy ?? first.binding?.baseline ?? '';
  const shares = group.flatMap(({ limits }) => limits.find((limit) => limit.name === name)?.efficiency ?? []);
  const mode = modeOf(first);
  const verb = mode === 'write' ? 'wrote' : 'read';
  const kinds = all.filter((one) => modeOf(one) === mode);
  const where = group.length === kinds.length ? '' : placesOf(group, kinds);
  const busy = group.flatMap((one) => busyness(one) ?? []);
  const paced = `${verb}${where} with ${describeLimit(name)} ${percents(busy)} % busy, which limited the rate`;
  // A processor has no documented rate, but it is known how busy it was.
  if (shares.length === 0) return paced;
  const share = percents(shares);
  if (busy.length === group.length && shares.every((each) => each < REACHED))
    return `${paced}, though at ${share} % of what ${limitSustains(name)}`;
  const sure = group.every(({ because }) => because === 'utilisation') ? ', which the service’s metrics confirm' : '';
  const reached = `${verb}${where} at ${share} % of what ${limitSustains(name)}`;
  if (isBeyond(first)) {
    const best = isModel ? 'well above the limits of the model' : 'well above their documented burst';
    return `${reached}, ${best}, so the bottleneck is elsewhere`;
  }
  const idle = group.flatMap(({ contradiction }) => contradiction?.value ?? []);
  if (idle.length > 0)
    return `${reached}, but ${first.contradiction?.metric} was only ${percents(idle)} %: no documented limit was reached`;
  if (first.limitedBy === null)
    return `${reached}, the lowest ${isModel ? 'limit of the model' : 'documented limit'}, which was not reached`;
  return `${reached}${sure}${group.some(isBursting) ? ' (bursting)' : ''}`;
}

/** ` at 1:1 and 5:1`, ` on 1 node and 2 nodes`: the writes or reads of an arm that are meant, if its results differ between them. */
function placesOf(group: readonly LimitResult[], all: readonly LimitResult[]): string {
  const axesOf = ({ kind }: LimitResult): string => dataAxes(kind);
  const differ = (of: (one: LimitResult) => string): boolean => new Set(all.map(of)).size > 1;
  const listed = (of: (one: LimitResult) => string): string => [...new Set(group.map(of))].join(', ');
  const targetOf = ({ compressibility }: LimitResult): string => compressibilityLabel(compressibility);
  return [differ(axesOf) && ` ${listed(axesOf)}`, (differ(targetOf) || !differ(axesOf)) && ` at ${listed(targetOf)}`]
    .filter((part) => part !== false)
    .join('');
}

const percents = (shares: readonly number[]): string => range(shares.map((share) => Math.round(share * 100)));

function burstSentences({ analysis: { levels } }: RunSummary): Sentence[] {
  return levels.flatMap(({ arm, operation, unit, burst, baseline, changes }): Sentence[] => {
    if (burst === null || baseline === null) return [];
    const when = changes?.find(({ relative }) => relative < 0)?.hours ?? null;
    const after = when === null ? '' : ` after ${duration(when * 3600)}`;
    const amount = (value: number): string => (unit === 'x' ? `${plain(value * 100)} %` : `${plain(value)} MB/s`);
    const of = unit === 'x' ? ' of its usual rate' : '';
    return [
      [{ arm }, `: ${operation} fell from ${amount(burst)} to ${amount(baseline)}${of}${after}, and stayed there.`],
    ];
  });
}

/** The benchmark's own study first; of the others only what could be compared. */
function claimSentences({ analysis: { verdicts }, cells, benchmark }: RunSummary): Sentence[] {
  if (cells.length === 0) return [];
  const reproduces = benchmarkOrNone(benchmark)?.study;
  const studies = Map.groupBy(verdicts, ({ claim }) => claim.study);
  return [...studies].flatMap(([name, own]): Sentence[] => {
    const of = (verdict: string): number =>
      own.filter((one) => one.verdict === verdict && (verdict === 'not comparable' || !one.documented)).length;
    const still = own.filter(({ verdict, documented }) => documented && verdict === 'reproduced').length;
    const stand =
      still === 0 ? '' : `; ${counted(still, 'figure')} ${still === 1 ? 'is' : 'are'} what AWS documents today`;
    const [reproduced, missed, without] = [of('reproduced'), of('not reproduced'), of('not comparable')];
    const is = (count: number): string => `${count} ${count === 1 ? 'is' : 'are'}`;
    if (reproduced + missed > 0) {
      const verdicts = `${is(reproduced)} reproduced, ${is(missed)} not, ${without} cannot be compared`;
      return [[`Of the figures of the ${name}, ${verdicts}${stand}.`]];
    }
    if (name !== reproduces) return [];
    const [max] = incomparableByReason(own);
    const mostly = max?.judgements.length === own.length - still ? '' : ', mostly';
    const none = `None of the ${counted(own.length - still, 'figure')} of the ${name} can be compared`;
    return [[`${none}${mostly} because ${max?.because ?? ''}${stand}.`]];
  });
}

/** Returns the cost of the deployment while the run was interrupted, unless it was torn down. */
function describeIdle({ idleHours, idleUsd }: Pick<RunSummary['cost'], 'idleHours' | 'idleUsd'>): string {
  if (!idleHours || idleUsd === null) return '';
  return ` The ${duration(idleHours * 3600)} between its sessions cost ${usd(idleUsd)} more if all stayed deployed.`;
}

/** The cost of a run on AWS; for any other run, the list price of the same deployment. */
export function costSentence({ cost, lab, record: { elsewhere } }: RunSummary): string {
  const price = cost.hourlyUsd === null ? 'has no complete list price' : `lists at ${usd(cost.hourlyUsd)} per hour`;
  if (lab) return `Nothing. On AWS this deployment ${price}.`;
  if (elsewhere !== null) return `${sentenceCase(elsewhere.cost)}.`;
  if (cost.hourlyUsd === null) return 'Not known as a whole: a price is missing.';
  if (cost.runUsd === null || cost.hours === null)
    return `The deployment ${price}; how long the run took is not known.`;
  return `${usd(cost.runUsd)} at list price for ${duration(cost.hours * 3600)}.${describeIdle(cost)}`;
}

function costSentences(run: RunSummary): Sentence[] {
  const { cost, lab, record, analysis } = run;
  if (cost.lines.length === 0) return [];
  const whole = [costSentence(run)];
  if (lab || record.elsewhere !== null || cost.hourlyUsd === null || cost.runUsd === null) return [whole];
  const known = analysis.costs.filter(({ perTerabyteUsd }) => perTerabyteUsd !== null);
  if (known.length === 0) return [whole];
  const parts = listedParts(known.map(({ arm, perTerabyteUsd }) => [`${usd(perTerabyteUsd)} on `, { arm }]));
  return [whole, ['Moving a TB cost ', ...parts, ', with the arm’s share of the clients.']];
}

/** Result of a run in the brevity of a terminal: the top of its report. */
export type RunAnswer = ReturnType<typeof answerOf>;

export function answerOf(run: RunSummary) {
  const table = sideBySide(run);
  return {
    validity: run.validity,
    verdict: singleLine(validitySentence(run)),
    faults: run.issues.flatMap(({ severity, message }) =>
      severity === 'note' ? [] : [singleLine(`${severity}: ${message}`)],
    ),
    findings: isMarked(run) ? [] : findings(run).map(plainText),
    table: table && {
      header: table.columns.map(({ label }) => plainText(label)),
      rows: table.rows.map((row) => row.map(fieldText)),
    },
    answers: answers(run).flatMap(({ question, sentences }) =>
      ['What limited it', 'Cost'].includes(question) && !isMarked(run)
        ? [[question, sentences.map(plainText).join(' ')] as const]
        : [],
    ),
  };
}

const fieldText = (field: TableField): string => plainText(isQuantity(field) ? quantityText(field) : field);

/** Sentences on the file system to buy for the fastest arm's performance. */
export function purchaseSentences(summary: RunSummary): Sentence[] {
  if (summary.cells.length === 0) return [];
  const elsewhere = summary.record.elsewhere;
  if (elsewhere !== null)
    return [[`Not available, since ${elsewhere.claims}. To rank what AWS documents: npx fsxbench advise`]];
  const purchase = purchaseOf(summary);
  if (purchase === null) return [];
  const { reached, options, best, armMonthlyUsd } = purchase;
  const { arm } = reached;
  const figures = figuresOf(reached);
  const words = figures.map(([said]) => said).join(', ');
  if (best === null || best.monthlyUsd === null) {
    const why =
      best === null ? 'No single file system is documented to sustain' : 'No price is known for what sustains';
    return [[`${why} what `, { arm }, ` reached (${words}).`]];
  }
  const own = armMonthlyUsd === null ? [] : [`, against $${grouped(armMonthlyUsd)} for `, { arm }];
  return [
    [
      { arm },
      ` reached ${words}. The cheapest file system that is documented to sustain this${isFirstForCaveats(options) ? ' without a caveat' : ''} is ${describeOption(best.configuration)}: $${grouped(best.monthlyUsd)} per month without clients (${describeBasis(best.basis)})`,
      ...own,
      '.',
    ],
    // A full stop would be copied with the command.
    [`Add --capacity with the size of your data: npx fsxbench advise ${figures.map(([, flag]) => flag).join(' ')}`],
  ];
}

/** Each figure that a purchase is for, in words and as an option of `advise`. */
const FIGURES = {
  writeMBps: (value: number) => [`${plain(value)} MB/s written`, `--write ${askedGBps(value)}`],
  readMBps: (value: number) => [`${plain(value)} MB/s read`, `--read ${askedGBps(value)}`],
  ratio: (value: number) => [`data at ${value}:1`, `--ratio ${value}`],
  createsPerSecond: (value: number) => [`${grouped(value)} files created per second`, `--metadata ${value}`],
} as const;

const figuresOf = (reached: Reached): (readonly string[])[] =>
  Object.entries(FIGURES).flatMap(([name, words]) => {
    const value = reached[name as keyof typeof FIGURES];
    return value === null ? [] : [words(value)];
  });

/** Results of the fastest arm, as requirements for a purchase. */
interface Reached {
  readonly arm: string;
  /** Measured rates; `null` for those that the run did not measure. */
  readonly writeMBps: number | null;
  readonly readMBps: number | null;
  /** Measured compression ratio; `null` for data that did not shrink. */
  readonly ratio: number | null;
  readonly createsPerSecond: number | null;
}

/** Answers “what should I buy” from rates alone, since a run does not know how much is to be stored. `null` if no rate was reached. */
export function purchaseOf(summary: RunSummary) {
  const { region, cost } = summary;
  const reached = reachedIn(summary);
  if (reached === null) return null;
  // The requirement is the reached rate, and not more.
  const requirement = { ...requirementOf(reached), headroom: 0, region: region ?? undefined };
  if (checkRequirement(requirement).length > 0) return null;
  const { options } = advise(requirement);
  const [best = null] = options;
  const hourly = cost.lines.find(({ item }) => item === `File system of ${reached.arm}`)?.hourlyUsd ?? null;
  return { reached, options, best, armMonthlyUsd: hourly === null ? null : hourly * HOURS_PER_MONTH };
}

/** Two digits after the point of GB/s: what is asked for is no more exact than what was measured. */
const askedGBps = (MBps: number): number => Math.round(MBps / 10) / 100;

const requirementOf = ({ writeMBps, readMBps, ratio, createsPerSecond }: Reached): Requirement => ({
  writeMBps: writeMBps === null ? undefined : askedGBps(writeMBps) * 1000,
  readMBps: readMBps === null ? undefined : askedGBps(readMBps) * 1000,
  ratio: ratio ?? undefined,
  createsPerSecond: createsPerSecond ?? undefined,
});

/** Rates and creations of one arm: a run with both has one that did both. */
function reachedIn(summary: RunSummary): Reached | null {
  const rates = ratesReached(summary);
  const creates = createsReached(summary, rates?.arm);
  return rates === null ? creates : { ...rates, createsPerSecond: creates?.createsPerSecond ?? null };
}

function ratesReached({ cells, space, arms }: RunSummary): Reached | null {
  const rates = cells.filter(
    ({ metric, unit, median }) => metric === 'throughput' && unit === 'MB/s' && (median ?? 0) >= 10,
  );
  // The data that compress best, as at the top of the report.
  const targets = rates.flatMap((cell) => cell.compressibility ?? []);
  const compressibility = targets.length === 0 ? null : Math.max(...targets);
  const own = rates.filter((cell) => cell.compressibility === compressibility);
  const of = (arm: string, operation: string): number =>
    own.find((cell) => cell.arm === arm && cell.operation === operation)?.median ?? 0;
  const sum = (arm: string): number => of(arm, 'write') + of(arm, 'read');
  const [fastest] = arms.map(({ name }) => name).sort((a, b) => sum(b) - sum(a));
  if (fastest === undefined || sum(fastest) === 0) return null;
  const ratio = spaceAt(space, { arm: fastest, compressibility })?.median ?? 1;
  return {
    arm: fastest,
    writeMBps: of(fastest, 'write') || null,
    readMBps: of(fastest, 'read') || null,
    ratio: ratio < 1.02 ? null : Number(ratio.toFixed(2)),
    createsPerSecond: null,
  };
}

function createsReached({ metadata }: RunSummary, only?: string): Reached | null {
  const creates = (metadata?.rates ?? []).filter(
    ({ operation, arm }) => operation === 'file_create' && (only ?? arm) === arm,
  );
  const [fastest] = [...creates].sort((a, b) => (b.rate.value ?? 0) - (a.rate.value ?? 0));
  const rate = Math.floor(fastest?.rate.value ?? 0);
  if (fastest === undefined || rate < 1) return null;
  return { arm: fastest.arm, writeMBps: null, readMBps: null, ratio: null, createsPerSecond: rate };
}
