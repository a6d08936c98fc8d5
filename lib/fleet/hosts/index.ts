import { existsSync, statSync } from 'node:fs';
import { readWhole } from '../../common/files';
import { overSsh } from '../common/ssh';
import type { StandingFleet } from '../fleet';

/** A name of ssh's configuration, a host name or an address of IPv4; never an option, and part of a file's name. */
const HOST = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const MOST = 10_000;

/**
 * Words of `a,b,c`, or lines of a file without its comments, as mpirun's host files have them. Those that PBS and LSF write (`$PBS_NODEFILE`,
 * `$LSB_DJOB_HOSTFILE`) have a line for each slot of a host.
 */
function wordsIn(wanted: string): string[] {
  const isFile = wanted.includes('/') || (existsSync(wanted) && statSync(wanted).isFile());
  if (!isFile) return wanted.split(',');
  if (!existsSync(wanted))
    throw new Error(`'--hosts' must be names with commas between, or a file, got '${wanted}': there is no such file`);
  try {
    const lines = readWhole(wanted).split('\n');
    return [...new Set(lines.flatMap((line) => line.replace(/#.*/, '').trim().split(/\s+/)[0] || []))];
  } catch (error) {
    throw new Error(`'--hosts' must be a file with a name per line, got '${wanted}': ${(error as Error).message}`);
  }
}

function hostsIn(wanted: string): string[] {
  const names = wordsIn(wanted).map((word) => word.trim());
  const wrong = names.find((name) => !HOST.test(name));
  if (wrong !== undefined)
    throw new Error(
      `'--hosts' must be names as ssh takes them, of letters, digits and . _ -, got ${JSON.stringify(wrong.slice(0, 100))}: give it such a name in ~/.ssh/config`,
    );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`'--hosts' must name each host once, got '${twice}' twice`);
  if (names.length === 0 || names.length > MOST)
    throw new Error(`'--hosts' must be 1 to ${MOST} hosts, got ${names.length} in '${wanted}'`);
  return names;
}

/** Hosts that the user reaches by ssh without a password, with their own configuration and keys. */
export const sshHosts: StandingFleet = {
  option: 'hosts',
  launcher: overSsh,
  count: (wanted) => hostsIn(wanted).length,
  reserve(wanted) {
    hostsIn(wanted);
    return null;
  },
  async machines(wanted) {
    return { names: hostsIn(wanted) };
  },
};
