import { groupBy, keyOf } from '../../results/statistics';
import type { Subject } from '../subject';
import type { Task } from '../task';
import { type Finding, inapplicable, place, type Rule, some } from './rule';

/** Clients that the plan gives to a task: all of them, or an equal part. */
function plannedClients({ record }: Subject, { group }: Task): number | null {
  const { plan } = record;
  if (plan === null) return null;
  return group === 'all' ? plan.fleet.clients : Math.max(1, Math.floor(plan.fleet.clients / plan.arms.length));
}

function plannedRanks({ record }: Subject, task: Task, clients: number): number | null {
  const own = record.plan?.steps.find(({ id }) => id === task.step)?.tasks.find(({ arm }) => arm === task.arm);
  return own?.action.kind === 'workload' ? own.action.ranksPerClient * clients : null;
}

/** A rate of fewer clients is the rate of another experiment. */
export const everybodyThere: Rule = {
  id: 'missing-ranks',
  checks: 'every client and every process of the plan took part',
  check(subject) {
    if (subject.record.plan === null) return 'the plan cannot be read';
    if (subject.measured.length === 0) return inapplicable('nothing was measured');
    const lacking = subject.measured.flatMap((task) => {
      const clients = plannedClients(subject, task);
      const ranks = clients === null ? null : plannedRanks(subject, task, clients);
      const short =
        (clients !== null && task.clients < clients) || (ranks !== null && task.ranks !== null && task.ranks < ranks);
      return short ? [{ task, clients, ranks }] : [];
    });
    return [...groupBy(lacking, ({ task }) => keyOf(task.arm)).values()].map((own): Finding => {
      const { task, clients, ranks } = own[0] as (typeof lacking)[number];
      return {
        severity: 'error',
        message: `${task.arm}: fewer clients or processes than planned in ${own.length} measured phases.`,
        expected: `${clients} clients, ${ranks ?? 'any number of'} processes`,
        actual: `${task.clients} clients, ${task.ranks ?? 'an unknown number of'} processes in ${task.step}`,
        suggestion: 'look for clients that did not come up or were lost; resume or repeat the run with all of them',
        where: some(own.map((one) => one.task.step)),
      };
    });
  },
};

/** What both sides of a comparison were measured with. */
export const sameTools: Rule = {
  id: 'mixed-tool-versions',
  checks: 'one tool, one version and one data pattern on both sides of a comparison',
  check({ record, measured }) {
    if (new Set(measured.map(({ arm }) => arm)).size < 2) return inapplicable('one arm is compared with nothing');
    const steps = new Set(measured.map(({ step }) => step));
    const samples = record.samples.filter(
      ({ phase, step, value, tool }) => phase === 'measure' && value !== null && tool !== null && steps.has(step),
    );
    const groups = groupBy(samples, ({ operation, target, fileBytes }) => keyOf(operation, target, fileBytes ?? null));
    return [...groups.values()].flatMap((own): Finding[] => {
      const first = own[0];
      const tools = [...new Set(own.map(({ tool, toolVersion, pattern }) => [tool, toolVersion, pattern].join(' ')))];
      if (first === undefined || tools.length < 2) return [];
      return [
        {
          severity: 'error',
          message: `${place('all arms', first.operation, first.target)}: measured with different tools, versions or patterns.`,
          expected: 'one of each',
          actual: tools.map((tool) => tool.trim()).join('; '),
          suggestion: 'give every client the same version, and repeat the run',
        },
      ];
    });
  },
};
