import { dd } from '../../../workload/dd';
import { betweenCapacities, inRepeats } from '../../kit/steps';
import type { PlanDefinition } from '../../plan';
import { CHECKS } from './checks';
import { publishedDefaults, publishedParameters } from './parameters';
import { KINDS, loopWork, unitOf } from './units';

/** The study's loops at the study's sizes. Kept because its figures can only be judged against its own procedure. */
export const published: PlanDefinition<typeof publishedParameters> = {
  name: 'published',
  asStudied: true,
  parameters: publishedParameters,
  defaults: (scale) => publishedDefaults(scale),
  steps: (parameters, { arms }) => {
    const units = inRepeats(parameters.repeats, (repeat) =>
      parameters.threads.flatMap((threads) =>
        KINDS.flatMap((kind) => {
          const unit = `r${repeat}-t${threads}-${kind}-loops`;
          return unitOf({ arms, repeat, unit }, 1, loopWork(parameters, threads, kind));
        }),
      ),
    );
    return betweenCapacities(arms, units);
  },
  checks: CHECKS,
  tools: { preferred: dd, substitutes: [] },
};
