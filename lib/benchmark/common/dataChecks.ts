import { listed } from '../../common/format/text';
import { bytes } from '../../common/format/units';
import type { Issue } from '../../schema/issue';
import { DATA_WORKLOADS, workloadOrNone } from '../../workload/lookup';
import type { Check, Checked } from '../plan';
import { check, measured } from './checks';

export const dataFitInMemory = check('data-fit-in-memory', 'warning', ({ parameters, fleet, arms, environment }) => {
  const { clientMemoryBytes, serverMemoryBytes = 0, documentedBytesPerSecond } = environment;
  const { maxMiBPerArm, seconds, simultaneous, reads } = parameters;
  // It is reads that a cache answers.
  if (reads === false) return null;
  if (clientMemoryBytes === undefined || typeof maxMiBPerArm !== 'number' || typeof seconds !== 'number') return null;
  const clientsPerArm = simultaneous ? fleet.clients / arms.length : fleet.clients;
  const memory = clientsPerArm * clientMemoryBytes + serverMemoryBytes;
  const byTime = documentedBytesPerSecond === undefined ? Number.POSITIVE_INFINITY : documentedBytesPerSecond * seconds;
  const data = Math.min(maxMiBPerArm * 2 ** 20, byTime);
  if (data > memory) return null;
  const servers = serverMemoryBytes > 0;
  return {
    message: `An arm’s data fit into the memory of its clients${servers ? ' and servers' : ''}, so a read may be answered from a cache.`,
    expected: `more than ${bytes(memory)}${servers ? ' (clients and servers)' : ''}`,
    actual: `at most ${bytes(data)} an arm`,
    suggestion: `raise seconds and maxMiBPerArm; caches are dropped between write and read${servers ? ', but a server’s cannot be' : ''}`,
  };
});

/** Data that must be on one arm at the same time, against the space that it has. */
export function exceedsCapacity(
  { environment }: Checked,
  data: { readonly bytes: number; readonly message: string; readonly suggestion: (capacityBytes: number) => string },
): Issue | null {
  const { capacityBytes } = environment;
  const { message, suggestion } = data;
  if (capacityBytes === undefined || data.bytes <= 0.8 * capacityBytes) return null;
  return {
    id: 'data-exceed-capacity',
    severity: 'error',
    message,
    actual: bytes(data.bytes),
    expected: `at most ${bytes(0.8 * capacityBytes)} (80 % of the free space)`,
    suggestion: suggestion(capacityBytes),
  };
}

export const dataExceedCapacity: Check = (checked) => {
  const { maxMiBPerArm } = checked.parameters;
  if (typeof maxMiBPerArm !== 'number') return null;
  return exceedsCapacity(checked, {
    bytes: maxMiBPerArm * 2 ** 20,
    message: 'Incompressible data of this size would fill the file system.',
    suggestion: (capacityBytes) => `--set maxMiBPerArm=${Math.floor((0.7 * capacityBytes) / 2 ** 20)}`,
  });
};

export const mixedTools = check('tools-differ-between-targets', 'note', ({ steps }) => {
  const tools = new Set(
    measured(steps).flatMap((step) => step.tasks.map(({ action }) => (action.kind === 'workload' ? action.tool : ''))),
  );
  tools.delete('');
  if (tools.size < 2) return null;
  const inOrder = DATA_WORKLOADS.map(({ id }) => id).filter((id) => tools.has(id));
  const [first, last] = [inOrder[0] ?? '', inOrder.at(-1) ?? ''];
  const label = (id: string): string => workloadOrNone(id)?.label ?? id;
  return {
    message: `${label(first)} cannot write data of every compressibility, so ${label(last)} writes the others: compare arms at one compressibility, and only ratios between compressibilities.`,
    expected: 'one tool for all compressibilities',
    actual: listed([...tools].sort()),
    suggestion: `--set tool=${last}`,
  };
});
