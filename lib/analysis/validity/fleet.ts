import { counted } from '../../common/format/units';
import { keyOf } from '../../common/keyOf';
import type { WorkloadAction } from '../../schema/plan';
import { workloadOrNone } from '../../workload/lookup';
import { labelOf } from '../figures/operationKind';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import { cannotTell, inapplicable, judged, place, type RuleFinding, some, unchecked, type ValidityRule } from './rule';

/** Clients that the plan gives to a task: so many, all of them, or an equal part. */
export function plannedClients({ plan }: Subject, { group, plannedNodes }: MeasuredTask): number | null {
  if (plan === null || plannedNodes !== null) return plannedNodes;
  return group === 'all' ? plan.fleet.clients : Math.max(1, Math.floor(plan.fleet.clients / plan.arms.length));
}

/** Returns the action that the plan gives a task. */
export function plannedAction({ plan }: Subject, task: MeasuredTask): WorkloadAction | null {
  const own = plan?.steps.find(({ id }) => id === task.step)?.tasks.find(({ arm }) => arm === task.arm);
  return own?.action.kind === 'workload' ? own.action : null;
}

function plannedRanks(subject: Subject, task: MeasuredTask, clients: number): number | null {
  const action = plannedAction(subject, task);
  return action === null ? null : action.ranksPerClient * clients;
}

/** A rate of other clients or processes than planned is the rate of another experiment. What took part, the tool says itself. */
export const missingRanks: ValidityRule = {
  id: 'missing-ranks',
  checks: 'every client and every process of the plan took part, and no other',
  check(subject) {
    if (subject.plan === null) return unchecked('the plan cannot be read');
    if (subject.measured.length === 0) return inapplicable('nothing was measured');
    const differing = subject.measured.flatMap((task) => {
      const clients = plannedClients(subject, task);
      const ranks = clients === null ? null : plannedRanks(subject, task, clients);
      const differ = (counted: number | null, planned: number | null): boolean =>
        counted !== null && planned !== null && counted !== planned;
      // On one machine several clients may stand under its one name.
      const nodes = subject.elsewhere !== null ? null : task.nodes;
      const found =
        (clients !== null && task.clients < clients) || differ(task.ranks, ranks) || differ(nodes, task.clients);
      return found ? [{ task, clients, ranks }] : [];
    });
    const findings = [...Map.groupBy(differing, ({ task }) => task.arm).values()].map((own): RuleFinding => {
      const { task, clients, ranks } = own[0] as (typeof differing)[number];
      const processesOf = (number: number): string => counted(number, 'process', 'processes');
      const machines = task.nodes === null ? '' : ` on ${counted(task.nodes, 'machine')}`;
      const processes = task.ranks === null ? 'an unknown number of processes' : processesOf(task.ranks);
      return {
        severity: 'error',
        message: `${task.arm}: other clients or processes than planned in ${counted(own.length, 'measured phase')}.`,
        expected: `${clients === null ? 'any number of clients' : counted(clients, 'client')}, ${ranks === null ? 'any number of processes' : processesOf(ranks)}, as the plan says`,
        actual: `${counted(task.clients, 'client')}; ${task.tool ?? 'the tool'} counted ${processes}${machines} in ${task.step}`,
        suggestion: 'look for clients that did not come up or were lost; resume or repeat the run with all of them',
        where: some(own.map((one) => one.task.step)),
      };
    });
    const done = subject.measured.filter(({ failed }) => !failed);
    const silent = done.filter(({ ranks }) => ranks === null);
    if (findings.length === 0 && silent.length > 0) {
      const why = silent.map(({ tool }) => {
        const reported = workloadOrNone(tool)?.reports.processes ?? true;
        return `${tool ?? 'the tool'} printed no number of processes${reported === true ? '' : ` (${reported.silent})`}`;
      });
      return cannotTell(
        `${[...new Set(why)].join('; ')}: ${silent.length} of ${counted(done.length, 'measured phase')}`,
      );
    }
    const hosts = subject.elsewhere !== null ? 0 : done.filter(({ nodes }) => nodes !== null).length;
    return judged(
      findings,
      `a process more or less than planned in any of ${counted(done.length, 'measured phase')}; its machines were counted in ${hosts === 0 ? 'none' : hosts} of them`,
    );
  },
};

/** The newest image is found when a client is launched: one that was replaced later may have booted another. */
export const mixedImages: ValidityRule = {
  id: 'mixed-images',
  checks: 'all clients booted the same image',
  check({ manifest }) {
    const images = (manifest?.fleet.clients ?? []).flatMap(({ image }) => image ?? []);
    if (images.length === 0) return inapplicable('no client of the run has a recorded image');
    const silent = (manifest?.fleet.clients ?? []).length - images.length;
    const couldFind = `another image on any of ${counted(images.length, 'client')}${silent === 0 ? '' : `; of ${silent} more none is recorded`}`;
    const groups = [...Map.groupBy(images, (image) => image)].sort(([, one], [, other]) => other.length - one.length);
    if (groups.length < 2) return judged([], couldFind);
    return judged(
      [
        {
          severity: 'warning',
          message: 'The clients booted different images, so kernels and Lustre clients may differ.',
          expected: 'one image',
          actual: groups.map(([image, own]) => `${own.length} × ${image}`).join(', '),
          suggestion: "redeploy the stack with 'image' set, so that all clients boot the same one",
        },
      ],
      couldFind,
    );
  },
};

/** Both sides of a comparison must be measured with the same tools and versions. */
export const mixedToolVersions: ValidityRule = {
  id: 'mixed-tool-versions',
  checks: 'one tool, one version and one data pattern on both sides of a comparison',
  check({ samples: all, measured }) {
    if (new Set(measured.map(({ arm }) => arm)).size < 2)
      return inapplicable('a single arm has nothing to be compared with');
    const samples = all.filter(
      ({ phase, source, value }) => phase === 'measure' && source === 'client' && value !== null,
    );
    const groups = Map.groupBy(samples, (sample) => keyOf(labelOf(sample), sample.compressibility));
    const silent = samples.filter(({ toolVersion }) => toolVersion === null).length;
    const findings = [...groups.values()].flatMap((own): RuleFinding[] => {
      const first = own[0];
      const tools = [...new Set(own.map(({ tool, toolVersion, pattern }) => [tool, toolVersion, pattern].join(' ')))];
      if (first === undefined || tools.length < 2) return [];
      return [
        {
          severity: 'error',
          message: `${place('all arms', first.operation, first.compressibility)}: measured with different tools, versions or patterns.`,
          expected: 'one of each',
          actual: tools.map((tool) => tool.trim()).join('; '),
          suggestion: 'give every client the same version, and repeat the run',
        },
      ];
    });
    if (samples.length === 0) return inapplicable('no sample has a value');
    return judged(
      findings,
      `another tool, version or pattern in any of ${counted(samples.length, 'sample')}${silent === 0 ? '' : `; ${silent} name no version`}`,
    );
  },
};
