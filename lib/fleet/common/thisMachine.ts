import { readFileSync } from 'node:fs';
import { instanceType } from '../instanceTypes';
import type { Launcher } from '../launcher';

/** Open MPI refuses to run as root without these (facts-tools, section 1). */
const AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' };

/** Everything on this computer: the lab, and runs with `--local`. */
export const thisMachine: Launcher = {
  name: 'local',
  mpi: ({ ranksPerClient, directory, command }) => ({
    // Waiting ranks yield; otherwise two on one core spend their time polling.
    argv: [
      ...['mpirun', '--oversubscribe', '--bind-to', 'none', '--mca', 'mpi_yield_when_idle', '1'],
      ...(directory === undefined ? [] : ['--wdir', directory]),
      ...['-np', String(ranksPerClient)],
      ...command,
    ],
    environment: AS_ROOT,
    hostFile: null,
  }),
};

/**
 * The instance type of this computer, which EC2 writes into its firmware tables; `null` outside EC2.
 * Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/identify_ec2_instances.html (vendor; the product is the type on Nitro).
 */
export function thisInstanceType(tables = '/sys/devices/virtual/dmi/id'): string | null {
  const said = (name: string): string => {
    try {
      return readFileSync(`${tables}/${name}`, 'utf8').trim();
    } catch {
      return '';
    }
  };
  const product = said('product_name');
  return said('sys_vendor') === 'Amazon EC2' && instanceType(product) !== null ? product : null;
}
