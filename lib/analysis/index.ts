import { validityOf } from '../schema/issue';
import { verdicts } from './claims';
import { armCosts } from './figures/cost';
import { findIssues } from './issues/issues';
import { compressionScaling } from './limits/known';
import { operationLimits } from './limits/limitedBy';
import { predictedAgainstMeasured } from './limits/predicted';
import { programLimits } from './limits/program';
import type { Subject } from './subject';
import { checkRun } from './validity';

/** The meaning of a run: its validity, its bottlenecks, whether the published figures reproduce, and its cost. */
export function analyse(subject: Subject) {
  const { limits, levels, stragglers, comparisons, place } = subject;
  const checks = checkRun(subject);
  const issues = findIssues(subject, checks);
  const operations = operationLimits(subject);
  const predicted = predictedAgainstMeasured(subject);
  return {
    checks,
    issues,
    levels,
    stragglers,
    limits,
    // Only of a plan that varies the nodes.
    ...(operations.length === 0 ? {} : { operations }),
    programs: programLimits(subject),
    predicted,
    ...(place === 'model' && { scalingModel: compressionScaling(limits, predicted, comparisons) }),
    verdicts: verdicts(subject, validityOf(issues)),
    costs: armCosts(subject),
  };
}
