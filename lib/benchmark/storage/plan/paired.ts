import { everyArm, inTurns, rotated } from '../../../plan/steps';
import type { PlanArm, Step } from '../../../schema/plan';
import type { PlanDefinition } from '../../plan';
import { CHECKS } from './checks';
import { pairedDefaults, pairedParameters, type StorageParameters } from './parameters';
import { openPipeline, pipelineSteps } from './pipeline';
import { correctedWork, KINDS, loopWork, type StorageUnit, unitOf } from './units';

/**
 * Every storage does the same in the same minutes: in each repeat the arms take turns unit by unit, another first each time, and every
 * second repeat goes through the threads backwards. A unit is all work of so many threads, or the pipeline: its files are removed once, since
 * some storages take half a minute to free what was removed.
 */
function pairedSteps(parameters: StorageParameters, arms: readonly PlanArm[]): Step[] {
  const { repeats, threads, loops, pipelineReads } = parameters;
  const names = arms.map(({ name }) => name);
  const ofRepeat = (repeat: number): Step[] => {
    const turns = (unit: string, steps: (options: StorageUnit) => Step[]): Step[] =>
      inTurns(steps({ arms, repeat, unit: `r${repeat}-${unit}` }), rotated(names, repeat));
    const order = repeat % 2 === 1 ? threads : [...threads].reverse();
    return [
      ...order.flatMap((count) =>
        turns(`t${count}`, (unit) =>
          unitOf(
            unit,
            1,
            KINDS.flatMap((kind) => [
              ...(loops ? loopWork(parameters, count, kind) : []),
              ...correctedWork(parameters, count, kind),
            ]),
          ),
        ),
      ),
      ...(pipelineReads === 0
        ? []
        : turns('pipeline', (options) => pipelineSteps(options, openPipeline(pipelineReads, Math.max(...threads))))),
    ];
  };
  return [
    everyArm('setup-capacity', 'setup', arms),
    ...Array.from({ length: repeats }, (_, index) => ofRepeat(index + 1)).flat(),
    everyArm('conclude-capacity', 'conclude', arms),
  ];
}

/** The plan that compares storages, with the study's loops beside the corrected workloads. */
export const paired: PlanDefinition<typeof pairedParameters> = {
  name: 'paired',
  parameters: pairedParameters,
  defaults: (scale) => pairedDefaults(scale),
  steps: (parameters, { arms }) => pairedSteps(parameters, arms),
  checks: CHECKS,
};
