import type { ParseDocument } from '../../schema/parse';
import type { WorkloadAction } from '../../schema/plan';
import { dataOfClients, type FilesMetrics, filesOfClients } from '../kit/clients';
import type { Measured } from '../kit/measured';
import type { Operation } from '../operation';

/** Files are created and read in the phases that move data, whose plain rate is that of requests. */
const PRINTED: Readonly<Record<string, FilesMetrics>> = {
  file_create: { operation: 'write', rate: 'file_operations', files: 'files' },
  file_read: { operation: 'read', rate: 'file_operations', files: 'files' },
};

export function elbenchoValues(
  { command }: WorkloadAction,
  { id, on }: Operation,
  documents: readonly ParseDocument[],
): Measured[] {
  if (on !== 'data')
    return filesOfClients(id, PRINTED[id] ?? { operation: id, rate: 'operations', files: 'files' }, documents);
  const synced = command.includes('--sync');
  const clients = documents.flatMap(({ samples }) => {
    const last = (operation: string, metric: string) =>
      samples.findLast((sample) => sample.operation === operation && sample.metric === metric);
    const [bytes, seconds] = [last(id, 'bytes'), last(id, 'seconds')];
    const sync = last('sync', 'seconds');
    if (!bytes?.value || !seconds?.value) return [];
    if (!synced) return [{ bytes: bytes.value, seconds: seconds.value }];
    // Syncs are phases of their own, before and after each other: the one that counts comes behind the write.
    if (!sync || samples.indexOf(sync) < samples.indexOf(seconds)) return [];
    return [{ bytes: bytes.value, seconds: seconds.value + (sync.value ?? 0) }];
  });
  if (clients.length < documents.length) return [];
  return dataOfClients(
    id,
    clients.map((client) => client.bytes),
    clients.map((client) => client.seconds),
  );
}
