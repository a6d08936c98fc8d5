import type { MetadataResults, OperationRate } from '../metadata/results';
import type { Subject } from '../subject';
import { clientEvidence } from './clientLoad';
import { BUSY, REACHED } from './limitedBy';

/** The bottleneck of one operation on files, on the most nodes of a plan that varies them. */
export interface OperationLimit {
  readonly arm: string;
  readonly operation: string;
  readonly nodes: number;
  /** Documented for the metadata IOPS; `null` where nothing is. */
  readonly perSecond: number | null;
  /** Share of it that was reached. */
  readonly share: number | null;
  /** `null` where nothing is known to have set the pace. */
  readonly limitedBy: 'metadata_servers' | 'client_cpu' | null;
}

/** Empty where the plan does not vary the nodes: elsewhere the metadata results say it. */
export function operationLimits(subject: Subject): OperationLimit[] {
  const { nodes, rates = [], bounds = [] } = subject.metadata ?? {};
  if (nodes === undefined) return [];
  return rates.map((rate) => ({
    arm: rate.arm,
    operation: rate.operation,
    nodes,
    perSecond: rate.documented.value,
    share: rate.efficiency.value,
    limitedBy: limitOf(subject, rate, nodes, bounds),
  }));
}

/** Judges the servers by their own metrics, else by the documented rate; then the clients by their load. */
function limitOf(
  subject: Subject,
  { arm, operation, fileBytes, efficiency }: OperationRate,
  nodes: number,
  bounds: MetadataResults['bounds'],
): OperationLimit['limitedBy'] {
  const bound = bounds.find((one) => one.arm === arm && one.operation === operation && one.fileBytes === fileBytes);
  if (bound?.by === 'server') return 'metadata_servers';
  if (bound?.by == null && (efficiency.value ?? 0) >= REACHED) return 'metadata_servers';
  const tasks = subject.measured.filter(
    (task) => task.arm === arm && task.operation === operation && task.plannedNodes === nodes,
  );
  const busy = clientEvidence(subject, tasks, 'write').some(
    ({ limit, value }) => limit === 'client_cpu' && (value ?? 0) >= BUSY,
  );
  return busy ? 'client_cpu' : null;
}
