import type { Judgement } from '../claims';
import { type Issue, validityOf } from '../schema/issue';
import { verdicts } from './claims/claims';
import { type ArmCost, armCosts } from './cost';
import { findIssues } from './issues/issues';
import { compressionScaling, type ScalingModel } from './limits/known';
import type { Level } from './limits/levels';
import { type LimitResult, type OperationLimit, operationLimits } from './limits/limitedBy';
import { type PredictedAgainstMeasured, predictedAgainstMeasured } from './limits/predicted';
import { type ProgramLimit, programLimits } from './limits/program';
import type { Stragglers } from './stragglers';
import type { Subject } from './subject';
import { checkRun, type RuleOutcome } from './validity';

export type { ArmCost } from './cost';
export type { ScalingModel as Law, ScalingVerdict as LawVerdict } from './limits/known';
export type { Level } from './limits/levels';
export {
  busyness,
  isBeyond,
  isBursting,
  type LimitResult,
  modeOf,
  type OperationLimit,
  REACHED,
} from './limits/limitedBy';
export type { PredictedAgainstMeasured } from './limits/predicted';
export type { ProgramLimit } from './limits/program';
export type { Stragglers } from './stragglers';
export type { RuleOutcome } from './validity';

/** The meaning of a run: its validity, its bottlenecks, whether the published figures reproduce, and its cost. */
export interface Analysis {
  /** The outcome of every validity rule. */
  readonly checks: readonly RuleOutcome[];
  /** Issues found in the plan, by the rules and in the run folder. */
  readonly issues: readonly Issue[];
  /** Stability of each throughput over time, with burst and baseline separated where it changed. */
  readonly levels: readonly Level[];
  /** Time between the first and the last process to finish. */
  readonly stragglers: readonly Stragglers[];
  readonly limits: readonly LimitResult[];
  /** Bottlenecks of operations on files, on the most nodes. @default - the plan does not vary the nodes of any */
  readonly operations?: readonly OperationLimit[];
  /** Waits and rates of a user's own program; empty for other runs. */
  readonly programs: readonly ProgramLimit[];
  readonly predicted: PredictedAgainstMeasured;
  /** Only of a run on a scale model. */
  readonly scalingModel?: ScalingModel;
  readonly verdicts: readonly Judgement[];
  readonly costs: readonly ArmCost[];
}

/** Analyses a run. Pure: the same run gives the same analysis. */
export function analyse(subject: Subject): Analysis {
  const checks = checkRun(subject);
  const issues = findIssues(subject, checks);
  const { limits } = subject;
  const operations = operationLimits(subject);
  const predicted = predictedAgainstMeasured(subject);
  return {
    checks,
    issues,
    levels: subject.levels,
    stragglers: subject.stragglers,
    limits,
    ...(operations.length === 0 ? {} : { operations }),
    programs: programLimits(subject),
    predicted,
    ...(subject.place === 'model' ? { scalingModel: compressionScaling(limits, predicted, subject.comparisons) } : {}),
    verdicts: verdicts(subject, validityOf(issues)),
    costs: armCosts(subject),
  };
}
