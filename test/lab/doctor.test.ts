import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import {
  DescribeInstancesCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  EC2Client,
  paginateDescribeInstanceTypeOfferings,
} from '@aws-sdk/client-ec2';
import { DescribeFileSystemsCommand, FSxClient } from '@aws-sdk/client-fsx';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { instanceTypeNames } from '../../lib/fleet/instanceTypes';
import { zoneIdsOf, zonesOffering } from '../../lib/fleet/offerings';
import { emulatorEnvironment, startEmulator } from '../../lib/lab/emulator';
import { labPaths } from '../../lib/lab/paths';
import { endProcesses, processesOfLab } from '../../lib/lab/processes';
import { ensureVenv } from '../../lib/lab/venv';
import { fsxbenchIn } from '../cli/support';
import { labProject, PROJECT } from './support';

jest.setTimeout(180_000);

const before = { ...process.env };
let root: string;
let remove: () => void;

beforeAll(async () => {
  ({ root, remove } = await labProject());
  const paths = labPaths(root);
  const { endpoint } = await startEmulator({ paths, python: await ensureVenv(PROJECT), record: async () => {} });
  for (const [name, value] of Object.entries(emulatorEnvironment(paths, endpoint))) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}, 180_000);

afterAll(async () => {
  process.env = before;
  await endProcesses(() => processesOfLab(labPaths(root).lab));
  remove();
});

/** Contents of the emulator's account. */
async function everything() {
  const ec2 = new EC2Client({});
  return JSON.stringify([
    (await ec2.send(new DescribeVpcsCommand({}))).Vpcs,
    (await ec2.send(new DescribeSubnetsCommand({}))).Subnets,
    (await ec2.send(new DescribeInstancesCommand({}))).Reservations,
    (await new FSxClient({}).send(new DescribeFileSystemsCommand({}))).FileSystems,
    (await new AutoScalingClient({}).send(new DescribeAutoScalingGroupsCommand({}))).AutoScalingGroups,
  ]);
}

interface Answer {
  readonly account: string;
  readonly region: string;
  readonly works: { readonly deploy: boolean };
  readonly findings: readonly { readonly name: string; readonly state: string; readonly found: string }[];
}

async function doctor(...settings: string[]): Promise<Answer> {
  const set = settings.flatMap((setting) => ['-c', setting]);
  const { out, status } = await fsxbenchIn({ root: PROJECT }, [
    'doctor',
    '--aws',
    'CompressionBench',
    ...set,
    '--json',
  ]);
  const answer = JSON.parse(out) as Answer;
  expect(status).toBe(answer.works.deploy ? 0 : 1);
  return answer;
}

const named = ({ findings }: Answer, state: string): string[] =>
  findings.filter((finding) => finding.state === state).map(({ name }) => name);

test('asks a live API, finds what is missing, and leaves all as it was', async () => {
  const held = await everything();

  const bare = await doctor();
  expect(bare).toMatchObject({ account: '123456789012', region: 'us-east-1', works: { deploy: false } });
  expect(named(bare, 'missing')).toEqual(['CDK bootstrap']);
  expect(named(bare, 'ok')).toEqual(
    expect.arrayContaining([
      ...['AWS credentials', 'VPCs', 'VPC Block Public Access', 'instance type', 'image', 'dry run'],
      ...['EBS encryption', 'left over', 'prices'],
    ]),
  );
  expect(named(bare, 'unknown')).toEqual([]);

  const absent = await doctor('availabilityZone=use1-az3');
  expect(absent.findings.find(({ name }) => name === 'instance type')?.found).toMatch(
    /^c5n\.9xlarge is not offered in us-east-1[a-f], which is use1-az3 in this account$/,
  );
  expect(await everything()).toBe(held);

  const version = { Name: '/cdk-bootstrap/hnb659fds/version', Value: '30', Type: 'String' } as const;
  await new SSMClient({}).send(new PutParameterCommand(version));
  expect(await doctor()).toMatchObject({ works: { deploy: true } });
});

test.each(['us-east-1', 'eu-west-2', 'ap-northeast-2', 'ap-south-2'])(
  'the table of offerings is what the API answers in %s',
  async (region) => {
    const client = new EC2Client({ region });
    const answered = new Set<string>();
    for await (const page of paginateDescribeInstanceTypeOfferings(
      { client },
      { LocationType: 'availability-zone-id' },
    )) {
      for (const { InstanceType, Location } of page.InstanceTypeOfferings ?? [])
        answered.add(`${InstanceType} ${Location}`);
    }
    const wrong = instanceTypeNames().flatMap((type) =>
      (zoneIdsOf(region) ?? []).filter(
        (zone) => answered.has(`${type} ${zone}`) !== zonesOffering(type, region)?.includes(zone),
      ),
    );
    expect(answered.size).toBeGreaterThan(1000);
    expect(wrong).toEqual([]);
  },
);
