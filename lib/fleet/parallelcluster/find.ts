import { BOUNDED } from '../../kit/aws/bounded';
import type { Deployment } from '../../schema/deployment';
import type { FoundFleet } from '../fleet';

/**
 * The head node. Clients are nodes that Slurm starts for the job of a run, and names to its driver; none needs to be there before.
 *
 * @throws Error unless the head node is running
 */
export async function findCluster({ leader = '', image }: Deployment): Promise<FoundFleet> {
  const { EC2Client, DescribeInstancesCommand } = await import('@aws-sdk/client-ec2');
  const { Reservations = [] } = await new EC2Client(BOUNDED).send(
    new DescribeInstancesCommand({ InstanceIds: [leader] }),
  );
  const found = Reservations.flatMap(({ Instances = [] }) => Instances)[0];
  const state = found?.State?.Name ?? 'gone';
  if (state !== 'running')
    throw new Error(
      `the head node ${leader} must be running, but is ${state}: start it in the console, or deploy the benchmark again`,
    );
  return { image: found?.ImageId ?? image, clients: [], leader };
}
