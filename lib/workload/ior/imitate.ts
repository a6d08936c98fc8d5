import type { IorVersion } from '../common/iorRelease';
import type { Order } from '../common/measured';
import type { Pattern } from '../workload';
import { iorDefaultPattern, iorPattern } from './pattern';

/** Reads or writes as a recorded program made them. */
interface ImitatedPhase {
  readonly operation: 'write' | 'read';
  readonly order: Order;
  /** One file of all processes, or a separate one for each. */
  readonly files: 'shared' | 'own';
  /** Files of all, or of each process, one after the other. */
  readonly count: number;
  /** Bytes of one process in one file. */
  readonly bytes: number;
  readonly transferBytes: number;
  /** Sync each file before the clock stops. */
  readonly sync: boolean;
  readonly processesPerClient: number;
}

/** IOR fills its buffers with words of so many bytes, and refuses transfers that hold no whole number of them (`sizeof(IOR_size_t)`). */
const WORD = 8;

/**
 * IOR's arguments for one direction of a recorded program. Strided: each process writes every n-th transfer of a shared file, as blocks of
 * one transfer and segments with one transfer of each process. Several files are repetitions, each on a separate file (`-m -i`).
 */
function imitatedCommand(
  { operation, order, files, count, bytes, transferBytes, sync, processesPerClient }: ImitatedPhase,
  option: string | null,
): string[] {
  const transfers = Math.max(1, Math.round(bytes / transferBytes));
  const strided = order === 'strided';
  // Each process reads what another has written, but for random offsets in a shared file, which IOR refuses to combine with it (ior.c).
  const elsewhere = order === 'random' && files === 'shared' ? [] : ['-C', '-Q', String(processesPerClient)];
  return [
    ...['ior', '-a', 'POSIX', '-t', String(transferBytes)],
    ...['-b', String(strided ? transferBytes : transfers * transferBytes), '-s', String(strided ? transfers : 1), '-k'],
    ...(files === 'own' ? ['-F'] : []),
    ...(order === 'random' ? ['-z'] : []),
    ...(count > 1 ? ['-m', '-i', String(count)] : []),
    ...(operation === 'write' ? ['-w', ...(sync ? ['-e'] : [])] : ['-r', ...elsewhere]),
    ...(option === null ? [] : ['-l', option]),
    ...['-o', '{dir}/data'],
  ];
}

/** Returns why IOR cannot move data like that; `null` if it can. */
export function refusesToImitate({
  order,
  files,
  transferBytes,
}: Pick<ImitatedPhase, 'order' | 'files' | 'transferBytes'>): string | null {
  if (transferBytes % WORD !== 0) return `transfers of ${transferBytes} B: IOR’s are multiples of ${WORD} B`;
  if (order === 'strided' && files === 'own')
    return 'strided transfers in files of one process each: IOR strides in shared files only';
  return null;
}

/** IOR in the place of a recorded program. Its data are incompressible if it can write such: a record does not have the data. */
export function imitate(
  phase: ImitatedPhase,
  version: IorVersion,
): { readonly pattern: Pattern; readonly command: string[] } {
  const pattern = iorPattern(version, 1) ?? iorDefaultPattern(version);
  return { pattern, command: imitatedCommand(phase, pattern.option) };
}
