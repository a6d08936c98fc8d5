import { keyFigures } from '../analysis/keyFigures';
import type { RunSummary } from '../analysis/summary';
import type { RunFigures } from '../schema/summary';
import { findings } from './findings';
import { plainText } from './render/shown';

/** The key figures of a run with its result in words: what an index of many runs needs of each. */
export function figuresOf(run: RunSummary): RunFigures {
  const { arms, conditions, figures, costUsd, ...known } = keyFigures(run);
  return { ...known, findings: findings(run).map(plainText), arms, conditions, figures, costUsd };
}
