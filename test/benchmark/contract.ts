import { summarise } from '../../lib/analysis/summary';
import type { Benchmark } from '../../lib/benchmark/benchmark';
import { commandIssues } from '../../lib/benchmark/common/checks';
import { PLAN_SCALES } from '../../lib/benchmark/plan';
import { studies } from '../../lib/claims';
import { documentedPlan } from '../../lib/cli/plan';
import { planNamed, plansOf } from '../../lib/plan/plan';
import { renderMarkdown } from '../../lib/report/markdown';
import { renderHtml } from '../../lib/report/page';

import { mainMeasure } from '../../lib/run/task/readWorkload';
import type { Plan } from '../../lib/schema/plan';
import { storageOf } from '../../lib/storage/lookup';
import type { RunRecord } from '../../lib/store/record';
import { describeOperation } from '../../lib/workload/lookup';
import { recordOf, samplesOfPlan } from '../support/records';

const PROGRAM = ['cp', '-r', '/usr/share/doc', '{dir}/copy'];

/** A plan as `fsxbench plan` makes it. */
export function planOf(benchmark: Benchmark, name: string, scale: string): Plan {
  const { takesProgram = false } = planNamed(benchmark, name);
  return documentedPlan(benchmark, { plan: name, scale, set: [], ...(takesProgram ? { program: PROGRAM } : {}) });
}

/** A run of a plan in which every measured operation has a value. */
function measuredRun(plan: Plan): RunRecord {
  const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 22, 6) + seconds * 1000).toISOString();
  const samples = samplesOfPlan(plan.steps, ({ step, action, at: [index, position], sample }) => {
    const { operation, metric, unit } = mainMeasure(action);
    const times = { startedAt: at(index), endedAt: at(index + 1) };
    return [sample({ operation, metric, unit, value: 1000 + 10 * position + step.repeat, ...times })];
  });
  return recordOf({ run: 'contract', plan, samples });
}

/** Promises of every benchmark, whoever wrote it; each throws for one that does not. */
export const PROMISES: Readonly<Record<string, (benchmark: Benchmark) => void | Promise<void>>> = {
  'has a plan of each kind at every scale, which could be run as it is': (benchmark) => {
    for (const { name } of plansOf(benchmark)) {
      for (const scale of PLAN_SCALES) {
        const { steps, issues, arms } = planOf(benchmark, name, scale);
        const what = `${name} at scale ${scale}`;
        // A missing feature of the lab is reported with its reason.
        const errors = issues.filter(
          ({ severity, id }) => severity === 'error' && !(scale === 'lab' && id === 'not-in-lab'),
        );
        expect([what, errors]).toEqual([what, []]);
        expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
        for (const { id, expectedSeconds, deadlineSeconds } of steps)
          expect([id, deadlineSeconds > expectedSeconds && expectedSeconds > 0]).toEqual([id, true]);
        const measured = steps.filter(({ phase }) => phase === 'measure').flatMap(({ tasks }) => tasks);
        expect(new Set(measured.map(({ arm }) => arm))).toEqual(new Set(arms.map(({ name: arm }) => arm)));
      }
    }
  },

  'runs no command of which the linter warns': (benchmark) => {
    for (const { name, asStudied = false, takesProgram = false } of plansOf(benchmark)) {
      if (takesProgram) continue;
      for (const scale of PLAN_SCALES) {
        const found = commandIssues({ ...planOf(benchmark, name, scale), asStudied, environment: {} });
        expect(found.filter(({ severity }) => severity !== 'note')).toEqual([]);
      }
    }
  },

  'has a report that names every operation that was measured, on page and in Markdown': async (benchmark) => {
    for (const { name } of plansOf(benchmark)) {
      const record = measuredRun(planOf(benchmark, name, 'smoke'));
      expect([name, record.samples.length]).not.toEqual([name, 0]);
      const summary = summarise(record);
      const page = await renderHtml(summary);
      const markdown = renderMarkdown(summary).toLowerCase();
      for (const operation of new Set(record.samples.map((sample) => sample.operation))) {
        // With file sizes and threads, if the plan varies them.
        expect(summary.cells.map((cell) => cell.operation.split(' ')[0])).toContain(operation);
        const inText = markdown.includes(describeOperation(operation));
        expect([name, operation, page.includes(operation), inText]).toEqual([name, operation, true, true]);
      }
    }
  },

  'has arms of storages that are known, whose metrics tell that something happens': (benchmark) => {
    const { about, arms, fleet } = benchmark;
    expect(about.length).toBeGreaterThan(0);
    for (const scale of ['published', 'smoke'] as const) {
      expect(fleet(scale).clients).toBeGreaterThan(0);
      expect(new Set(arms(scale).map(({ name }) => name)).size).toBe(arms(scale).length);
      for (const { name, storage } of arms(scale)) {
        expect(name).toMatch(/^[a-z][a-z0-9-]{0,31}$/);
        expect(storageOf(storage).configuration.check(storage).errors).toEqual([]);
      }
    }
  },

  'says what its lab is': (benchmark) => {
    const { lab, plans } = benchmark;
    for (const { plan, set } of lab.followedBy ?? []) {
      const keys = Object.keys(plans.find(({ name }) => name === plan)?.parameters.shape ?? {});
      for (const text of set) expect(keys).toContain(text.split('=')[0]);
    }
  },

  'names a study with claims, or says that there is none': (benchmark) => {
    const { study } = benchmark;
    if (study === 'none') return;
    const found = studies().find((each) => each.study === study);
    expect(found?.claims.length).toBeGreaterThan(0);
  },
};

/** A test of each promise, in the suite that calls this. */
export function contractOf(find: () => Benchmark): void {
  test.each(Object.entries(PROMISES))('%s', (_, holds) => holds(find()));
}
