import * as z from 'zod';
import { SCALES } from '../benchmark/benchmark';
import { BENCHMARKS } from '../benchmark/registry';
import { LIMITS } from '../common/aws/services';
import { emailAddress, topicArn } from '../common/email';
import {
  type Field,
  field,
  flag,
  list,
  numeric,
  oneOfWords as oneOf,
  orWords,
  type SettingsOf,
  whole,
} from '../common/field';
import { IN_GIB, IN_HOURS, IN_MINUTES } from '../common/quantity';
import { INSTALLS, PLACEMENTS, TUNINGS } from '../fleet/configuration';
import { FLEETS } from '../fleet/registry';
import { STORAGES } from '../storage/registry';

/** Tags of a resource at EC2, and a stack's at CloudFormation, next to those that AWS adds (EC2 user guide, Using_Tags; CloudFormation, API_Tag). */
const MOST_TAGS = 45;
const TAGS = z
  .record(
    z.string().regex(/^(?!aws:)[\p{L}\p{N} +\-=._:/@]{1,128}$/iu),
    z.string().regex(/^[\p{L}\p{N} +\-=._:/@]{0,256}$/u),
  )
  .refine((tags) => Object.keys(tags).length <= MOST_TAGS);

/** `-c tags=CostCenter=42,Owner=x` arrives as text; in cdk.json it may be an object. */
function tagsIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const pairs = value.split(',').map((pair) => /^\s*([^=]+?)\s*=\s*(.*?)\s*$/.exec(pair)?.slice(1));
  const keys = new Set(pairs.map((pair) => pair?.[0]));
  return keys.has(undefined) || keys.size < pairs.length ? value : Object.fromEntries(pairs as string[][]);
}

/** The id of a resource, as AWS writes it after its prefix. */
const idOf = (prefix: string, what: string, next: string) =>
  field(
    z.string().regex(new RegExp(`^${prefix}-[0-9a-f]{8,17}$`)),
    `the id of ${what} such as ${prefix}-0a1b2c3d4e5f60718`,
    next,
  );

/** The keys of the application's context that do not belong to a storage or a benchmark. */
const OWN = {
  scale: oneOf(SCALES, "Use 'published' for the study's own size, 'smoke' for the smallest that AWS accepts."),
  availabilityZone: field(
    z.string().regex(/^([a-z]{2}(-[a-z]+)+-\d[a-z]|[a-z]+\d-az\d+)$/),
    'the name or the id of an Availability Zone such as us-east-1a or use1-az1',
    'List them with: aws ec2 describe-availability-zones',
  ),
  vpcId: idOf('vpc', 'a VPC', 'List them with: aws ec2 describe-vpcs'),
  subnetId: idOf(
    'subnet',
    'a subnet',
    "It must be a private subnet of 'vpcId'. List them with: aws ec2 describe-subnets",
  ),
  egress: oneOf(['nat', 'endpoints'], "Use 'nat' to reach the internet, 'endpoints' to reach AWS services only."),
  fleet: oneOf(
    FLEETS.map(({ kind }) => kind) as [string, ...string[]],
    "'ec2' is an Auto Scaling group, 'parallelcluster' a cluster with Slurm.",
  ),
  instanceType: field(
    z.string().regex(/^[a-z][a-z0-9-]*\.(nano|micro|small|medium|large|([1-9]\d*)?xlarge|metal(-\d+xl)?)$/),
    'an EC2 instance type such as c5n.9xlarge',
    'List them with: aws ec2 describe-instance-types',
  ),
  checkOfferings: flag(
    "With false, an 'instanceType' and a Region are accepted even if the table of offerings, which may be outdated, lacks them.",
  ),
  clients: whole(1, 1000, '', 'If all arms run at the same time, it must be a multiple of their number.'),
  ranksPerClient: whole(1, 1024, '', 'It is the number of MPI processes per client; start with one per vCPU.'),
  purchase: oneOf(
    ['on-demand', 'spot', 'capacity-reservation'],
    "For a capacity reservation also set 'capacityReservationId'.",
  ),
  capacityReservationId: idOf('cr', 'a capacity reservation', 'List them with: aws ec2 describe-capacity-reservations'),
  placement: oneOf(
    PLACEMENTS,
    "'cluster' places clients close together, 'none' wherever there is capacity, 'partition' on separate racks.",
  ),
  placementGroup: field(
    // Up to 255 ASCII characters (EC2 API, CreatePlacementGroup).
    z.string().regex(/^[\x20-\x7e]{1,255}$/),
    'the name of a cluster placement group',
    'It is the group of the capacity reservation. List them with: aws ec2 describe-placement-groups',
  ),
  image: idOf('ami', 'an Amazon Linux 2023 image', 'Leave it out for the newest one.'),
  kernel: oneOf(['6.1', '6.12', '6.18'], 'These are the Amazon Linux 2023 kernels that lustre-client supports.'),
  rootVolumeGiB: whole(
    8,
    1024,
    ' of GiB',
    'It contains the operating system and the builds, never benchmark data.',
    IN_GIB,
  ),
  bootTimeoutMinutes: whole(
    10,
    LIMITS.updatePauseMinutes.max,
    '',
    'The first boot builds Open MPI and IOR, which takes minutes on a small instance.',
    IN_MINUTES,
  ),
  tuning: oneOf(
    TUNINGS,
    "'advised' depends on the size of a client, 'published-metadata' adds the settings of the metadata study.",
  ),
  efaClients: flag("With true clients reach file systems over EFA, which these must have ('efa')."),
  arms: field(
    list(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/)),
    'names of arms such as p250-12000,p1000-192000',
    'Without it all arms of the benchmark are deployed.',
  ),
  iorVersion: oneOf(['3.3.0', '4.0.0'], "Only 3.3.0 writes the data of the study; 4.0.0's compress half as well."),
  install: oneOf(INSTALLS, "'source' builds IOR from its archive, 'spack' by assets/client/spack/spack.yaml."),
  fileSystemId: idOf(
    'fs',
    'a file system',
    'LustreDashboard shows it, and others can be selected on the dashboard. List them with: aws fsx describe-file-systems',
  ),
  inputs: field(
    list(z.string().regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[^\s,*?]*)?$/)),
    'buckets or prefixes in them such as s3://my-data/reads/',
    "The clients may read the objects below, for the parameter 'inputs' of a plan.",
  ),
  owner: field(
    z.string().regex(/^[\w+=,.@-]{1,64}$/),
    'a name of up to 64 letters, digits and +=,.@_-, such as alice',
    'A stack is updated only by the owner who made it.',
  ),
  tags: field(
    z.preprocess(tagsIn, TAGS),
    `at most ${MOST_TAGS} tags such as CostCenter=42,Owner=x: keys of up to 128 characters that do not begin with aws:, values of up to 256; letters, digits, spaces and +-=._:/@`,
    'All resources of the stacks get them, and so do volumes and network interfaces of instances.',
  ),
  permissionsBoundary: field(
    z.string().regex(/^arn:aws[a-z-]*:iam::(\d{12}|aws):policy\/[\w+=,.@/-]{1,512}$/),
    'the ARN of a managed policy such as arn:aws:iam::123456789012:policy/Boundary',
    'Each role of the stack gets it. List them with: aws iam list-policies --scope Local',
  ),
  flowLogs: flag("With true the stack's VPC records its flows in CloudWatch Logs."),
  kmsKeyArn: field(
    z.string().regex(/^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[a-z0-9-]{1,64}$/),
    'the ARN of a KMS key such as arn:aws:kms:us-east-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666',
    'It encrypts file systems, buckets, log groups and the alarm topic; its policy must allow their services to use it (docs/security.md). An alias has one: aws kms describe-key --key-id alias/NAME',
  ),
  alarmEmail: field(
    z.union([emailAddress, topicArn]),
    'an e-mail address or the ARN of an SNS topic such as arn:aws:sns:us-east-1:123456789012:ops',
    'An address must confirm before the first alarm. A chat channel gets alarms from a topic in its ChatOps configuration.',
  ),
  expiresAfterHours: field(
    orWords(['never'], numeric(z.number().min(0.01).max(8760), IN_HOURS)),
    `never, or a number of hours from 0.01 to 8760${IN_HOURS.form}`,
    'The stack deletes itself that long after its deployment, once its results are in the bucket.',
  ),
  maxCostUsd: field(
    numeric(z.number().min(1)),
    'a number of USD from 1',
    'The stack deletes itself before its list price since its creation exceeds it.',
  ),
} as const;

/** Every key of the application's context, of stacks, fleets, storages and benchmarks. Only types are checked here; storages check combinations. */
export const FIELDS: Readonly<Record<string, Field>> = Object.assign(
  {},
  OWN,
  ...FLEETS.map(({ settings }) => settings),
  ...STORAGES.map(({ configuration: { settings } }) => settings),
  ...BENCHMARKS.map(({ settings }) => settings),
);

/** Checked settings of the user, without defaults. Fleets, storages and benchmarks read their own. */
export type Settings = SettingsOf<typeof OWN> & Readonly<Record<string, unknown>>;
