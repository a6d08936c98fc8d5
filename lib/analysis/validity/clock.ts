import { counted, percent, plain } from '../../common/format/units';
import { keyOf } from '../../common/keyOf';
import { workloadOrNone } from '../../workload/lookup';
import type { MeasuredTask } from '../task';
import { inapplicable, judged, place, type RuleFinding, some, type ValidityRule } from './rule';

/** Largest share of a measured time that one step of the tool's clock may be. A convention of fsxbench. */
const MOST = 0.05;

interface Timed {
  readonly task: MeasuredTask;
  /** Seconds of one iteration. */
  readonly seconds: number;
  /** Seconds between two times that the tool can print. */
  readonly step: number;
}

const inMs = (seconds: number): string => `${plain(seconds * 1000)} ms`;

/** A rate over a time of few steps is one of few possible rates: it is off, and repeats look more alike than they are. */
export const coarseClock: ValidityRule = {
  id: 'coarse-clock',
  checks: 'measurements that are long for the clock of their tool',
  check({ measured }) {
    const timed = measured.flatMap((task): Timed[] => {
      const { failed, tool, seconds, iterations } = task;
      const step = tool === null ? undefined : workloadOrNone(tool)?.reports.clockStep;
      return failed || seconds === null || step === undefined ? [] : [{ task, seconds: seconds / iterations, step }];
    });
    if (timed.length === 0) return inapplicable('no tool printed times in coarse steps');
    const short = timed.filter(({ seconds, step }) => step > seconds * MOST);
    const findings = [...Map.groupBy(short, ({ task }) => keyOf(task.arm, task.name)).values()].map(
      (own): RuleFinding => {
        const worst = own.reduce((a, b) => (a.seconds / a.step < b.seconds / b.step ? a : b));
        const { task, seconds, step } = worst;
        return {
          severity: 'warning',
          message: `${place(task.arm, task.name, task.compressibility)}: too short for the clock of the tool: its rates may be off by ${percent(step / seconds)}, and vary by chance more than they show.`,
          expected: `at least ${inMs(step / MOST)} for a clock that counts in steps of ${inMs(step)}`,
          actual: `${inMs(seconds)} in ${task.step}`,
          suggestion: 'more files for each process, or longer phases',
          where: some(own.map((one) => one.task.step)),
        };
      },
    );
    return judged(
      findings,
      `a clock whose steps are more than ${percent(MOST)} of the time in any of ${counted(timed.length, 'phase')}`,
    );
  },
};
