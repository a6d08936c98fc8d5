import type { DataPhase } from '../workload';
import type { IorPattern } from './pattern';

const MIB = 2 ** 20;

/**
 * IOR's arguments for one phase of the paired plan.
 *
 * - `-F`: a shared file over several OSTs leaves records of 4 KB that hardly compress (facts-tools, "Six traps", 3).
 * - `-e` always, since without it a buffered write measures memory.
 * - Write and read are separate commands, so that caches can be dropped and the groups can swap between them.
 * - `stoneWallingWearOut`: after the stonewall, every rank writes until it matches the rank that was furthest ahead. Without it 3.3.0 writes
 *   no status file, and the read, which gets its length from that file, fails at the end of the shortest file (tested with 3.3.0). It also
 *   prints how much the slowest and the fastest rank had done at the stonewall.
 * - No `-g`: with it all ranks wait before they close, and only the slowest shows; without it the total minus the close time is when
 *   the first rank was done (tested with 3.3.0).
 */
export function iorCommand(phase: DataPhase, pattern: IorPattern): string[] {
  const { operation, seconds, maxBytesPerProcess, processesPerClient, direct } = phase;
  const blockMiB = Math.max(1, Math.floor(maxBytesPerProcess / MIB));
  return [
    'ior',
    ...['-a', 'POSIX', '-t', '1m', '-b', `${blockMiB}m`, '-s', '1', '-F', '-k', '-e'],
    ...(operation === 'write' ? ['-w'] : ['-r', '-C', '-Q', String(processesPerClient)]),
    ...['-D', String(seconds), '-O', 'stoneWallingStatusFile={dir}/stonewall'],
    ...(operation === 'write' ? ['-O', 'stoneWallingWearOut=1'] : []),
    ...(direct ? ['--posix.odirect'] : []),
    ...(pattern.option ? ['-l', pattern.option] : []),
    ...['-o', '{dir}/data'],
  ];
}
