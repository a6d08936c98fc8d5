import { ec2Fleet } from '../../lib/fleet/ec2';

const mockInstances: { InstanceId: string; PrivateIpAddress?: string; ImageId?: string; LifecycleState: string }[] = [];
jest.mock('@aws-sdk/client-auto-scaling', () => ({
  AutoScalingClient: class {
    send = async () => ({ AutoScalingGroups: [{ Instances: mockInstances }] });
  },
  DescribeAutoScalingGroupsCommand: class {},
}));
jest.mock('@aws-sdk/client-ec2', () => ({
  EC2Client: class {},
  async *paginateDescribeInstances(_: unknown, { InstanceIds }: { InstanceIds: string[] }) {
    // One page for each.
    for (const id of InstanceIds)
      yield { Reservations: [{ Instances: mockInstances.filter(({ InstanceId }) => InstanceId === id) }] };
  },
}));

const client = (last: string, LifecycleState = 'InService', ImageId: string | undefined = 'ami-1') => ({
  ...{ InstanceId: `i-${last}`, PrivateIpAddress: `10.0.${last}`, ImageId, LifecycleState },
});
const found = (clients: number, ...instances: typeof mockInstances) => {
  mockInstances.splice(0, mockInstances.length, ...instances);
  return ec2Fleet.find({ clients, autoScalingGroup: 'group' } as never);
};

test('clients come in the order of their addresses as numbers, so that groups are the same in every run', async () => {
  const all = ['1.10', '0.200', '1.9', '0.30'].map((last) => client(last));
  const { clients, image } = await found(4, ...all);
  expect(clients.map(({ privateIp }) => privateIp)).toEqual(['10.0.0.30', '10.0.0.200', '10.0.1.9', '10.0.1.10']);
  expect(clients[0]).toEqual({ instanceId: 'i-0.30', privateIp: '10.0.0.30', image: 'ami-1' });
  expect(image).toBe('ami-1');
});

test('each image is named once, and none if EC2 says none', async () => {
  const images = ['ami-2', 'ami-1', 'ami-2'].map((image, at) => client(`0.${at}`, 'InService', image));
  expect((await found(3, ...images)).image).toBe('ami-1, ami-2');
  expect((await found(1, { ...client('0.1'), ImageId: undefined })).image).toBeNull();
});

test('only clients in service count, and as many as were deployed have to be', async () => {
  const some = [client('0.1'), client('0.2', 'Pending'), client('0.3', 'Terminating')];
  expect((await found(1, ...some)).clients.map(({ instanceId }) => instanceId)).toEqual(['i-0.1']);
  await expect(found(2, ...some)).rejects.toThrow('1 of 2 clients are in service');
  await expect(found(1, client('0.2', 'Pending'))).rejects.toThrow('no instance of group is in service');
});
