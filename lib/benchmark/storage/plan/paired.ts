import type { PlanArm, Step } from '../../../schema/plan';
import { dd } from '../../../workload/dd';
import { betweenCapacities, inRepeats, rotated } from '../../common/steps';
import type { PlanDefinition } from '../../plan';
import { CHECKS } from './checks';
import {
  pairedDefaults,
  pairedParameters,
  publishedDefaults,
  publishedParameters,
  type StorageParameters,
} from './parameters';
import { openPipeline, pipelineWork } from './pipeline';
import { correctedWork, KINDS, loopWork, unitOf } from './units';

/**
 * Every storage does the same in the same minutes, in an order of threads that rotates from repeat to repeat. A unit is all work of so
 * many threads, the last of a repeat with the pipeline.
 */
function pairedSteps(parameters: StorageParameters, arms: readonly PlanArm[]): Step[] {
  const { repeats, threads, loops, pipelineReads } = parameters;
  const ofRepeat = (repeat: number): Step[] => {
    const order = rotated(threads, repeat - 1);
    return order.flatMap((count, index) =>
      unitOf({ arms, repeat, unit: `r${repeat}-t${count}` }, 1, [
        ...KINDS.flatMap((kind) => [
          ...(loops ? loopWork(parameters, count, kind) : []),
          ...correctedWork(parameters, count, kind),
        ]),
        ...(pipelineReads > 0 && index === order.length - 1
          ? pipelineWork(openPipeline(pipelineReads, Math.max(...threads)))
          : []),
      ]),
    );
  };
  return betweenCapacities(arms, inRepeats(repeats, ofRepeat));
}

/** The plan that compares storages, with the study's loops next to the corrected workloads. */
export const paired: PlanDefinition<typeof pairedParameters> = {
  name: 'paired',
  parameters: pairedParameters,
  defaults: pairedDefaults,
  steps: (parameters, { arms }) => pairedSteps(parameters, arms),
  checks: CHECKS,
};

/** The study's loops at the study's sizes. Kept because its figures can only be judged against its own procedure. */
export const published: PlanDefinition<typeof publishedParameters> = {
  name: 'published',
  asStudied: true,
  parameters: publishedParameters,
  defaults: publishedDefaults,
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
