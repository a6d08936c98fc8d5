import type { Sample } from '../../schema/sample';
import type { Run } from '../run';

/** Outcome of one step of the plan. */
export interface StepSummary {
  readonly id: string;
  readonly phase: string;
  readonly repeat: number;
  readonly compressibility: number | null;
  readonly state: 'done' | 'failed' | 'not reached';
  /** 0 where the step left no sample, as steps that only prepare do. */
  readonly attempts: number;
  readonly expectedSeconds: number | null;
  /** Start of the first and end of the last of its samples. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Failure reasons, without duplicates. */
  readonly reasons: readonly string[];
}

/** The plan's steps with what became of them; the steps of the samples where the plan cannot be read. */
export function summariseSteps({ plan, status, counted }: Run): StepSummary[] {
  const bySample = [...new Map(counted.map((sample) => [sample.step, sample])).values()].map(
    ({ step, phase, repeat, compressibility }) => ({ id: step, phase, repeat, compressibility, expectedSeconds: null }),
  );
  const steps = plan?.steps ?? bySample;
  const byStep = Map.groupBy(counted, ({ step }) => step);
  const lastSampled = steps.findLastIndex(({ id }) => byStep.has(id));
  return steps.map(({ id, phase, repeat, compressibility, expectedSeconds }, index): StepSummary => {
    const samples = byStep.get(id) ?? [];
    const failed = samples.filter(({ value }) => value === null);
    const listed = status?.failedSteps.includes(id) ?? false;
    const passed = index <= lastSampled || index < (status?.stepsDone ?? 0) || status?.state === 'done';
    return {
      id,
      phase,
      repeat,
      compressibility,
      state: listed || failed.length > 0 ? 'failed' : samples.length > 0 || passed ? 'done' : 'not reached',
      attempts: samples.reduce((most, { attempt }) => Math.max(most, attempt), 0),
      expectedSeconds,
      startedAt: extreme(samples, 'startedAt', -1),
      endedAt: extreme(samples, 'endedAt', 1),
      reasons: [...new Set(failed.map(({ arm, reason }) => `${arm}: ${reason ?? 'no reason was given'}`))],
    };
  });
}

/** Returns the first (-1) or last (1) of the samples' times; ISO 8601 in UTC sorts as text. */
const extreme = (samples: readonly Sample[], field: 'startedAt' | 'endedAt', sign: 1 | -1): string | null =>
  samples.reduce<string | null>((best, sample) => {
    const value = sample[field];
    return best === null || (sign === 1 ? value > best : value < best) ? value : best;
  }, null);
