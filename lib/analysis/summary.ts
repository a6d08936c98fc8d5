import { type Issue, type Validity, validityOf } from '../schema/issue';
import { changeIn, precisionIn, smallestDifferenceIn } from '../schema/plan';
import type { Sample } from '../schema/sample';
import { type Place, placeOf, wordsOf } from '../store/place';
import { isLab, type RunRecord } from '../store/record';
import { type Session, sessionsOf, timesOf } from '../store/sessions';
import { type Analysis, analyse } from '.';
import { splitAttempts } from './attempts';
import { type Comparison, compareArms, type Design } from './compare/comparisons';
import { type BytesMoved, bytesMoved } from './figures/bytesMoved';
import { type Cell, cellsOf } from './figures/cells';
import { costOf, type RunCost } from './figures/cost';
import { type SpaceCell, spaceCells } from './figures/space';
import { type StepSummary, summariseSteps } from './figures/steps';
import { modelOf } from './limits/modelled';
import { metadataResults } from './metadata';
import type { MetadataArm, MetadataResults } from './metadata/results';
import { confidenceIn, type SettledWork, settledIn } from './settled';

/** One arm with what is known of it from plan and manifest. */
interface ArmSummary {
  readonly name: string;
  readonly description: string;
  /** Mounted file system as the client sees it, if it differs from the description. */
  readonly actually: string | null;
  readonly fileSystemId: string | null;
}

/** All that the report says about a run, derived from its record and from nothing else. */
export interface RunSummary {
  /** The record that everything here is derived from. */
  readonly record: RunRecord;
  readonly run: string;
  readonly benchmark: string;
  readonly plan: string | null;
  readonly scale: string | null;
  readonly lab: boolean;
  /** `mounted`: on Lustre that one machine had mounted. */
  readonly place: Place;
  /** AWS region; `null` if unknown. */
  readonly region: string | null;
  readonly notices: readonly string[];
  readonly state: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Seconds that drivers worked on it, in all sessions, without the time between them. */
  readonly seconds: number | null;
  /** One for each driver: several where the run was resumed. */
  readonly sessions: readonly Session[];
  /** Between sessions; 0 for a run of one. */
  readonly interruptedSeconds: number | null;
  readonly validity: Validity;
  readonly issues: readonly Issue[];
  /** The first is the baseline that the others are compared with. */
  readonly arms: readonly ArmSummary[];
  readonly targets: readonly (number | null)[];
  readonly cells: readonly Cell[];
  readonly comparisons: readonly Comparison[];
  readonly space: readonly SpaceCell[];
  readonly moved: readonly BytesMoved[];
  /** Operations on files; `null` for a run about data. */
  readonly metadata: MetadataResults | null;
  readonly steps: readonly StepSummary[];
  /** Work that got fewer repeats than planned, since it was settled. @default - the plan's repeats are fixed */
  readonly settled?: readonly SettledWork[];
  /** Samples of attempts that a later attempt of the same step replaced. */
  readonly superseded: readonly Sample[];
  readonly cost: RunCost;
  /** Validity, bottlenecks, claims and cost. */
  readonly analysis: Analysis;
  /** Other runs that a report was asked for together with this one. @default - none */
  readonly beside?: readonly RunSummary[];
}

/** Derives the summary. Pure: the same record gives the same summary. */
export function summarise(record: RunRecord): RunSummary {
  const { plan, manifest, status, samples } = record;
  const { counted, superseded } = splitAttempts(samples);
  const arms = armsOf(record);
  const armNames = arms.map(({ name }) => name);
  const targets = targetsOf(record);
  const cells = cellsOf(counted, armNames, targets);
  const steps = summariseSteps(record, counted);
  const sessions = sessionsOf(status, samples);
  const startedAt = sessions[0]?.startedAt ?? null;
  const endedAt = sessions.at(-1)?.endedAt ?? null;
  const { worked: seconds, between: interruptedSeconds } = timesOf(sessions);
  const comparisons = compareArms(cells, counted, armNames, targets, {
    design: designOf(record),
    smallest: smallestDifferenceIn(plan),
    confidence: confidenceIn(plan),
  });
  const space = spaceCells(counted, armNames, targets, wordsOf(placeOf(record))?.space ?? null);
  const cost = costOf(record, seconds, interruptedSeconds);
  const metadata = metadataOf(record, counted);
  const analysis = analyse(record, { counted, superseded, cells, steps, comparisons, space, metadata }, cost);
  const { issues } = analysis;
  return {
    record,
    run: record.run,
    benchmark: plan?.benchmark ?? manifest?.benchmark ?? status?.benchmark ?? 'unknown benchmark',
    plan: plan?.plan ?? null,
    scale: plan?.scale ?? null,
    lab: isLab(record),
    place: placeOf(record),
    region: manifest?.region ?? null,
    notices: manifest?.notices ?? [],
    state: status?.state ?? null,
    startedAt,
    endedAt,
    seconds,
    sessions,
    interruptedSeconds,
    validity: validityOf(issues),
    issues,
    arms,
    targets,
    cells,
    comparisons,
    space,
    moved: bytesMoved(counted, armNames),
    metadata,
    steps,
    ...(precisionIn(plan) === null ? {} : { settled: settledIn(counted) }),
    superseded,
    cost,
    analysis,
  };
}

/** A plan that changes the file system between its arms cannot let them take turns. */
function designOf({ plan }: RunRecord): Design {
  return plan !== null && changeIn(plan) !== undefined ? 'before-after' : 'pairs';
}

function armsOf({ plan, manifest, samples }: RunRecord): ArmSummary[] {
  const names = new Set([
    ...(plan?.arms ?? []).map(({ name }) => name),
    ...(manifest?.arms ?? []).map(({ name }) => name),
    ...samples.map(({ arm }) => arm),
  ]);
  return [...names].map((name) => {
    const deployed = manifest?.arms.find((arm) => arm.name === name);
    const planned = plan?.arms.find((arm) => arm.name === name);
    const description = deployed?.description ?? planned?.description ?? 'not described by plan or manifest';
    return { name, description, actually: deployed?.actually ?? null, fileSystemId: deployed?.fileSystemId ?? null };
  });
}

/** Targets of plan and samples, ascending; `null` (no target) comes last. */
function targetsOf({ plan, samples }: RunRecord): (number | null)[] {
  const measured = (plan?.steps ?? []).filter(({ phase }) => phase === 'measure');
  const all = new Set([...measured, ...samples.filter(({ phase }) => phase === 'measure')].map(({ target }) => target));
  return [...all].sort((a, b) => (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY));
}

/** Seconds from one moment to another; `null` where either is no date or time would run backwards. */
export function secondsBetween(from: string | null, to: string | null): number | null {
  const seconds = (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** Returns the metadata results of a run; `null` for a run about data. */
function metadataOf(record: RunRecord, counted: readonly Sample[]): MetadataResults | null {
  const { plan, manifest, metrics } = record;
  const names = [
    ...new Set([...(plan?.arms ?? []), ...counted.map(({ arm: name }) => ({ name }))].map(({ name }) => name)),
  ];
  const arms = names.map((name): MetadataArm => {
    const deployed = manifest?.arms.find((arm) => arm.name === name);
    const configuration = plan?.arms.find((arm) => arm.name === name)?.configuration ?? null;
    const hourlyUsd = deployed?.hourlyUsd ?? null;
    const reason = deployed?.hourlyReason ?? (manifest === null ? 'the run has no manifest' : undefined);
    const held = modelOf(record, name)?.metadata;
    return { name, configuration, hourlyUsd, ...(reason === undefined ? {} : { reason }), ...(held ? { held } : {}) };
  });
  const fleet = manifest?.fleet;
  return metadataResults({
    arms,
    samples: counted,
    metrics: metrics.flatMap(({ series }) => series),
    fleetHourlyUsd: fleet?.hourlyUsd ?? null,
    ...(fleet?.hourlyReason === undefined ? {} : { fleetReason: fleet.hourlyReason }),
    lab: isLab({ manifest, plan }),
  });
}
