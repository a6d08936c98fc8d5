import { dd } from '../../../workload/dd';
import { everyArm } from '../../kit/steps';
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
    const units = Array.from({ length: parameters.repeats }, (_, index) => index + 1).flatMap((repeat) =>
      parameters.threads.flatMap((threads) =>
        KINDS.flatMap((kind) => {
          const unit = `r${repeat}-t${threads}-${kind}-loops`;
          return unitOf({ arms, repeat, unit }, 1, loopWork(parameters, threads, kind));
        }),
      ),
    );
    return [everyArm('setup-capacity', 'setup', arms), ...units, everyArm('conclude-capacity', 'conclude', arms)];
  },
  checks: CHECKS,
  tools: { preferred: dd, substitutes: [] },
};
