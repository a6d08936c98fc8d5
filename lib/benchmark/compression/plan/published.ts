import type { Action, PlanArm, Step } from '../../../schema/plan';
import { ior } from '../../../workload/ior';
import { iorDefaultPattern } from '../../../workload/ior/pattern';
import { groupName, step } from '../../kit/steps';
import type { PlanDefinition, PlanScale } from '../../plan';
import { paired } from './paired';
import { type PublishedParameters, publishedParameters } from './parameters';

/** The blog: 12 hours, 144 ranks on each of four clients an arm, all OSTs. */
function publishedDefaults(scale: PlanScale, ranksPerClient: number): PublishedParameters {
  const minutes = scale === 'published' ? 720 : scale === 'smoke' ? 10 : 1;
  return { minutes, iorVersion: '3.3.0', ranksPerClient };
}

/**
 * The AWS compression blog's run: one write of the given minutes on both arms at once, no repeat, no swap, no read. Kept because the
 * published figures can only be judged against their own procedure; for anything else take the paired plan.
 */
function publishedSteps(parameters: PublishedParameters, arms: readonly PlanArm[]): Step[] {
  const { minutes, iorVersion, ranksPerClient } = parameters;
  const pattern = iorDefaultPattern(iorVersion);
  const unit = 'r1-published';
  const base = { repeat: 1, target: pattern.expectedRatio, unit, arms, group: groupName };
  const write: Action = {
    kind: 'workload',
    tool: ior.id,
    operation: 'write',
    command: studyCommand(minutes),
    ranksPerClient,
    pattern: pattern.id,
  };
  return [
    step({ ...base, id: 'setup-capacity', phase: 'setup', action: { kind: 'measure-capacity' } }),
    step({ ...base, id: `${unit}-directory`, phase: 'prepare', action: { kind: 'make-directory' } }),
    step({ ...base, id: `${unit}-write`, phase: 'measure', action: write, expectedSeconds: minutes * 60 }),
    step({ ...base, id: `${unit}-space`, phase: 'conclude', action: { kind: 'measure-ratio' } }),
    step({ ...base, id: 'conclude-capacity', phase: 'conclude', action: { kind: 'measure-capacity' } }),
    step({ ...base, id: `${unit}-remove`, phase: 'clean up', action: { kind: 'remove-data' } }),
  ];
}

/** The blog's command, argument for argument: 12,000 MiB a process and iteration, O_DIRECT, up to 1,000 iterations or the given minutes (the blog: 720). */
function studyCommand(minutes: number): string[] {
  const blog = '--posix.odirect -t 1m -b 1m -s 12000 -g -v -w -i 1000 -F -k -D 0';
  return [ior.id, ...blog.split(' '), '-T', String(minutes), '-o', '{dir}/ior.bin'];
}

export const published: PlanDefinition<typeof publishedParameters> = {
  name: 'published',
  asStudied: true,
  parameters: publishedParameters,
  defaults: (scale, { ranksPerClient }) => publishedDefaults(scale, ranksPerClient),
  steps: (parameters, { arms }) => publishedSteps(parameters, arms),
  checks: paired.checks,
  tools: { preferred: ior, substitutes: [] },
};
