import { omitUndefined } from '../../common/collections';
import type { Step, Task } from '../../schema/plan';
import type { Sample } from '../../schema/sample';
import { filesystemNamed } from '../../storage/filesystems';
import type { Measured } from '../../workload/common/measured';
import type { Clients } from '../clients/launch';
import type { TaskResult } from '../task/outcome';
import { mainMeasure } from '../task/readWorkload';
import type { stopwatch } from './clock';
import { TASK_OPERATION } from './resume';

interface Done {
  readonly run: string;
  readonly clients: Clients;
  readonly step: Step;
  readonly task: Task;
  readonly attempt: number;
  readonly result: TaskResult;
  /** Started with the task. */
  readonly time: ReturnType<typeof stopwatch>;
  readonly doubts: readonly string[];
}

/** The samples of a task: what was measured, or `null` with the reason, and the seconds that it took: those of its tool where that measured. */
export function samplesOf({ run, clients, step, task, attempt, result, time, doubts }: Done): Sample[] {
  const { action } = task;
  const workload = action.kind === 'workload' ? action : null;
  const { span } = result;
  const [began, end] = span ? [span.startedAt, span.endedAt] : [time.startedAt, time.endedAt()];
  const seconds = span ? (end.getTime() - began.getTime()) / 1000 : time.seconds();
  const [startedAt, endedAt] = [began.toISOString(), end.toISOString()];
  const value = result.failure === null ? seconds : null;
  const duration: Measured = { operation: TASK_OPERATION, metric: 'seconds', unit: 's', value };
  const measured: readonly Measured[] =
    workload && result.measured.length === 0 ? [{ ...mainMeasure(workload), value: null }] : result.measured;
  const { fileBytes, threads, plannedNodes } = step;
  const axes = omitUndefined({ fileBytes, threads, plannedNodes });
  return [...measured, duration].map(
    (each): Sample => ({
      schema: 'fsxbench.sample/1',
      run,
      arm: task.arm,
      step: step.id,
      phase: step.phase,
      repeat: step.repeat,
      attempt,
      compressibility: step.compressibility,
      ...axes,
      operation: each.operation,
      metric: each.metric,
      value: each.value,
      ...(each.value === null ? { reason: each.reason ?? result.failure ?? 'unknown' } : {}),
      unit: each.unit,
      iteration: each.iteration ?? null,
      source: each.operation === TASK_OPERATION ? 'driver' : sourceOf(action.kind, clients, task.arm),
      tool: workload?.tool ?? null,
      // If it printed none, the version from the client's set-up.
      toolVersion: workload ? (each.toolVersion ?? clients.config.tools[workload.tool] ?? null) : null,
      pattern: workload?.pattern ?? null,
      group: task.group,
      clients: result.clients,
      ranks: each.ranks ?? null,
      plannedRanks: result.plannedRanks,
      nodes: each.nodes ?? null,
      startedAt,
      endedAt,
      raw: result.raw,
      ...(each.operation === TASK_OPERATION && result.load ? { load: [...result.load] } : {}),
      ...(each.operation === TASK_OPERATION && result.targets ? { targets: [...result.targets] } : {}),
      problems: each.problems ?? [],
      cautions: [...(each.cautions ?? []), ...doubts],
    }),
  );
}

function sourceOf(kind: Task['action']['kind'], clients: Clients, arm: string): string {
  const filesystem = filesystemNamed(clients.config.arms[arm]?.filesystem ?? '');
  if (kind === 'measure-ratio') return filesystem.space.source;
  if (kind === 'measure-capacity') return filesystem.capacity.source;
  return kind === 'workload' ? 'client' : 'driver';
}
