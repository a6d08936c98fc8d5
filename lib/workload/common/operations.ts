import type { Operation } from '../operation';

const RATE = { metric: 'rate', unit: 'op/s', better: 'higher' } as const;
export const DATA = { on: 'data', metric: 'throughput', unit: 'MB/s', better: 'higher', restartable: true } as const;

/** Sequential file I/O: a partly written file is rewritten from its start. */
export const WRITE: Operation = { ...DATA, id: 'write', verb: 'write', past: 'wrote', makesData: true, cached: false };
export const READ: Operation = { ...DATA, id: 'read', verb: 'read', past: 'read', makesData: false, cached: true };

/** Operations on many files or directories. A partial attempt cannot be continued, since the rest would run at a different rate. */
function operationsOn(on: 'files' | 'directories', intended: readonly string[]) {
  const prefix = on === 'files' ? 'file' : 'dir';
  const common = { ...RATE, on, intended };
  const create: Operation = {
    ...common,
    id: `${prefix}_create`,
    verb: 'create',
    past: `created ${on}`,
    makesData: true,
    cached: false,
    restartable: false,
  };
  const stat: Operation = {
    ...common,
    id: `${prefix}_stat`,
    verb: 'stat',
    past: `ran stat on ${on}`,
    makesData: false,
    cached: true,
    restartable: true,
  };
  const read: Operation = {
    ...common,
    id: `${prefix}_read`,
    verb: 'read',
    past: `opened ${on}`,
    makesData: false,
    cached: true,
    restartable: true,
  };
  const remove: Operation = {
    ...common,
    id: `${prefix}_remove`,
    verb: 'remove',
    past: `removed ${on}`,
    makesData: false,
    cached: false,
    restartable: false,
  };
  return { create, stat, read, remove };
}

/** @param intended cautions that are expected from commands for a single operation */
export const filesOperations = (intended: readonly string[]) => operationsOn('files', intended);
/** @param intended cautions that are expected from commands for a single operation */
export const directoryOperations = (intended: readonly string[]) => operationsOn('directories', intended);
