import { BOUNDED } from '../../common/aws/connection';
import { instanceLines } from '../../price/cost';
import type { Deployment } from '../../schema/deployment';
import { overSsh } from '../common/ssh';
import { builderLaunch, clientImage } from '../configuration';
import type { FleetKind, FoundFleet } from '../fleet';

/** Instances of EC2, all alike, in a group of fixed size. */
export const ec2Fleet: FleetKind = {
  kind: 'ec2',
  launcher: overSsh,
  launches: (fleet) => [
    {
      name: 'clients',
      instanceType: fleet.instanceType,
      settings: { instanceType: 'instanceType', image: 'image' },
      count: fleet.clients,
      purchase: fleet.purchase,
      image: clientImage(fleet),
      volumesGiB: [fleet.rootVolumeGiB],
      startedBy: 'autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling',
    },
    builderLaunch(fleet),
  ],
  find: findClients,
  cost: instanceLines,
};

type Client = FoundFleet['clients'][number];

/** The running clients of a fleet, sorted by address for the same groups in every run, with their images, which are resolved at launch. */
async function findClients(deployment: Deployment): Promise<FoundFleet> {
  const clients = await clientsOf(deployment.autoScalingGroup ?? '');
  if (clients.length < deployment.clients)
    throw new Error(
      `${clients.length} of ${deployment.clients} clients are in service: wait for the others, since results from a smaller fleet are not comparable`,
    );
  const images = [...new Set(clients.flatMap(({ image }) => image ?? []))].sort();
  return { image: images.length === 0 ? null : images.join(', '), clients };
}

async function clientsOf(autoScalingGroup: string): Promise<Client[]> {
  const { AutoScalingClient, DescribeAutoScalingGroupsCommand } = await import('@aws-sdk/client-auto-scaling');
  const { EC2Client, paginateDescribeInstances } = await import('@aws-sdk/client-ec2');
  const groups = await new AutoScalingClient(BOUNDED).send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [autoScalingGroup] }),
  );
  const ids = (groups.AutoScalingGroups?.[0]?.Instances ?? [])
    .filter((instance) => instance.LifecycleState === 'InService')
    .flatMap((instance) => instance.InstanceId ?? []);
  if (ids.length === 0)
    throw new Error(
      `no instance of ${autoScalingGroup} is in service: check its activity in the console, or the stack's log group`,
    );
  const clients: Client[] = [];
  for await (const page of paginateDescribeInstances({ client: new EC2Client(BOUNDED) }, { InstanceIds: ids }))
    for (const { InstanceId, PrivateIpAddress, ImageId } of (page.Reservations ?? []).flatMap(
      ({ Instances = [] }) => Instances,
    ))
      if (InstanceId && PrivateIpAddress)
        clients.push({ instanceId: InstanceId, privateIp: PrivateIpAddress, image: ImageId });
  const number = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return clients.sort((a, b) => number(a.privateIp) - number(b.privateIp));
}
