import { counted } from '../../kit/format/units';
import { isChange, type Step } from '../../schema/plan';
import { changeOrNone } from '../../storage/changes';

/** A step in words, for who waits for it: `ior write on lz4 · data 2.6:1 · repeat 1`. */
export function describe(step: Step): string {
  const action = step.tasks[0]?.action;
  if (action !== undefined && isChange(action)) return changeOrNone(action)?.progress(action) ?? action.kind;
  const items = action?.kind === 'workload' && action.items === 'directories' ? ' directories' : '';
  const what =
    action?.kind === 'workload'
      ? `${action.tool} ${action.operation}${items}`
      : (action?.kind ?? '').replaceAll('-', ' ');
  const arms = step.tasks.map((task) => task.arm).join(' and ');
  const data =
    step.target !== null ? ` · data ${step.target}:1` : step.fileBytes ? ` · files of ${step.fileBytes} B` : '';
  const nodes = step.plannedNodes === undefined ? '' : ` · ${counted(step.plannedNodes, 'node')}`;
  const repeat = step.repeat === 0 ? '' : ` · repeat ${step.repeat}`;
  return `${what} on ${arms}${nodes}${data}${repeat}`;
}
