import type { RunSummary } from '../../analysis/summary';
import type { Block } from '../blocks';
import { beforeAfter } from './beforeAfter';
import { checks } from './checks';
import { claims } from './claims';
import { deployment } from './deployment';
import { limits } from './limits';
import { metadata } from './metadata';
import { metrics } from './metrics';
import { pairs } from './pairs';
import { plan } from './plan';
import { predicted } from './predicted';
import { provenance } from './provenance';
import { rates } from './rates';
import { raw } from './raw';
import { rerun } from './rerun';
import { samples } from './samples';
import type { Section } from './section';
import { space } from './space';
import { stragglers } from './stragglers';

/** The sections in their order: results first, then what they rest on. */
const SECTIONS: readonly Section[] = [
  rates,
  metadata,
  pairs,
  beforeAfter,
  limits,
  space,
  predicted,
  claims,
  stragglers,
  metrics,
  checks,
  deployment,
  plan,
  provenance,
  samples,
  raw,
  rerun,
];

/** A section of one run. */
export interface FilledSection {
  readonly id: string;
  readonly title: string;
  readonly isResult: boolean;
  readonly blocks: readonly Block[];
}

/** The sections in which the run has something to say, in the order of every form of the report. */
export function sectionsOf(run: RunSummary): FilledSection[] {
  return SECTIONS.flatMap(({ id, title, isResult = false, blocks }) => {
    const shown = blocks(run).filter((block) => block !== null && block !== false);
    if (shown.length === 0) return [];
    return [{ id, title: typeof title === 'string' ? title : title(run), isResult, blocks: shown }];
  });
}
