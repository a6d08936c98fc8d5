import type { Resource } from './cdk';
import { principalsOf, resolved, type Statement } from './policies';

/** A statement in the words of docs/security.md. */
export interface GrantRow {
  readonly role: string;
  readonly may: string;
  readonly on: string;
}

/** Roles by how their templates describe them. */
const ROLES: Readonly<Record<string, string>> = {
  'Clients of the benchmark': 'clients',
  'Nodes of the cluster': 'nodes',
  'What the provider of clusters reads': 'provider of clusters',
  'Builder of what the clients run': 'builder',
  'Master of MooseFS': 'master',
  'Chunkserver of MooseFS': 'chunkservers',
  'Server of Lustre on ZFS': 'ZFS servers',
  'Deletes the stack when its time is over': 'expiry',
  'Starts the state machine that deletes the stack': 'scheduler of the expiry',
  'Ends a deployment whose clients cannot be started': 'launch guard',
  'Starts the state machine that ends a deployment': 'rule of the launch guard',
};

/** The CDK's own function that empties a bucket before it is deleted: a policy of AWS, and what the bucket's own policy lets it do. */
const EMPTIES = { id: /^CustomS3AutoDeleteObjects\w+Role/, name: 'bucket emptier' };

/** Whole resources, as patterns, with labels: a wider resource has no label, and fails. */
const RESOURCES: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^arn:aws:s3:::results\/runs\/\w+Bench\/\*$/, '`runs/BENCHMARK/*`'],
  [/^arn:aws:s3:::results\/build-cache\/\w+Bench\/\*$/, '`build-cache/BENCHMARK/*`'],
  [/^arn:aws:s3:::results$/, 'results bucket'],
  [/^arn:aws:s3:::cdk-\w+-assets-[\w-]+\/\w{40,}\.zip$/, 'bundle of scripts'],
  [/^arn:aws:s3:::cdk-\w+-assets-[\w-]+\/\w{40,}\.sh$/, 'boot script'],
  [/^arn:aws:s3:::my-data\/reads\/\*$/, 'prefixes of `inputs`'],
  [/^arn:aws:s3:::builds\/zfs\.tar\.gz$/, 'your ZFS build'],
  [/^arn:aws:s3:[\w:-]+:\w*Bucket\w*$/, 'the arm’s bucket'],
  [/^arn:aws:s3:[\w:-]+:\w*Bucket\w*\/\*$/, 'objects in the arm’s bucket'],
  [/^arn:aws:ssm:[\w:-]+:parameter\/ec2\/keypair\/FleetKey\w+$/, 'key of the fleet'],
  [/^arn:aws:ssm:[\w:-]+:parameter\/ec2\/keypair\/LustreZfs\w+$/, 'key of the servers'],
  [/^arn:aws:ssm:[\w:-]+:parameter\/ExpiryDeadline\w+$/, 'parameter with the deadline'],
  [/^arn:aws:ssm:[\w:-]+:document\/ExpiryEndRuns\w+$/, 'its own document'],
  [/^arn:aws:logs:[\w:-]+:log-group:Logs\w+:\*$/, 'log group of the stack'],
  [/^arn:aws:logs:[\w:-]+:log-group:NetworkFlowLogs\w+:\*$/, 'log group of the flows'],
  [/^arn:aws:cloudformation:[\w:-]+:stack\/Stack\/1$/, 'the stack itself'],
  [/^arn:aws:ec2:[\w:-]+:volume\/\w+$/, 'volumes of the stack'],
  [/^arn:aws:ec2:[\w:-]+:instance\/\*$/, 'instances'],
  [/^arn:aws:kms:[\w:-]+:key\/[\w-]+$/, '`kmsKeyArn`'],
  [/^arn:aws:kms:[\w:-]+:key\/\*$/, 'keys'],
  [/^AlarmsTopic\w+$/, 'topic of the alarms'],
  [/^ExpiryMachine\w+$/, 'state machine of the expiry'],
  [/^FleetLaunchGuardMachine\w+$/, 'state machine of the launch guard'],
  [/^\*$/, '`*`'],
];

const CONDITIONS: Readonly<Record<string, string>> = {
  'cloudwatch:namespace': 'in the namespace of its metrics',
  'kms:GrantIsForAWSResource': 'for EBS',
  'ssm:resourceTag/fsxbench:clients-of': 'with the tags of leaders',
  'ssm:resourceTag/parallelcluster:cluster-name': 'with the tags of leaders',
  'ssm:resourceTag/parallelcluster:node-type': 'with the tags of leaders',
};

const all = (value: unknown): readonly unknown[] => [value].flat();
const unique = (words: readonly string[]): string[] => [...new Set(words)];

function inWords(table: readonly (readonly [RegExp, string])[], text: string): string {
  const found = table.find(([pattern]) => pattern.test(text));
  if (found === undefined) throw new Error(`docs/security.md has no words for ${text}: give it some in ${__filename}`);
  return found[1];
}

const throughService = (value: unknown): string =>
  `through ${JSON.stringify(value).includes('s3.') ? 'S3' : 'EC2'} alone`;

function rowOf(role: string, statement: Statement, resources: Readonly<Record<string, Resource>>): GrantRow {
  const { Effect, Action, Resource: named, Condition = {} } = statement;
  if (Effect !== 'Allow') throw new Error(`docs/security.md has no words for ${Effect}`);
  const on = unique(all(named).map((one) => inWords(RESOURCES, resolved(one, resources)))).sort();
  const only = unique(
    Object.values(Condition)
      .flatMap((keys) => Object.entries(keys))
      .map(([key, value]) => (key === 'kms:ViaService' ? throughService(value) : (CONDITIONS[key] ?? key))),
  );
  const may = all(Action).map((action) => `\`${action}\``);
  return { role, may: may.join(', '), on: [on.join(', '), ...only].join(' ') };
}

/** Each statement of each role of a template. */
export function grantRows(resources: Readonly<Record<string, Resource>>): GrantRow[] {
  const ours = Object.fromEntries(Object.entries(resources).filter(([id]) => !EMPTIES.id.test(id)));
  const rows = principalsOf(ours).flatMap(({ name, statements }) => {
    const role = name.startsWith('NetworkVpcFlowLog') ? 'VPC flow logs' : ROLES[name];
    if (role === undefined)
      throw new Error(`docs/security.md has no name for the role '${name}': give it one in ${__filename}`);
    return statements.map((statement) => rowOf(role, statement, ours));
  });
  return [...rows, ...emptyingRows(resources)];
}

function emptyingRows(resources: Readonly<Record<string, Resource>>): GrantRow[] {
  const roles = Object.entries(resources).filter(([id]) => EMPTIES.id.test(id));
  const managed = roles.flatMap(([, { Properties }]) => all(Properties.ManagedPolicyArns));
  return [
    ...managed.map((arn) => {
      const policy = /policy\/(?:service-role\/)?(\w+)/.exec(JSON.stringify(arn))?.[1];
      return { role: EMPTIES.name, may: `AWS’s policy \`${policy}\``, on: '`*`' };
    }),
    ...Object.values(resources)
      .filter(({ Type }) => Type === 'AWS::S3::BucketPolicy')
      .flatMap(
        ({ Properties }) => Properties.PolicyDocument.Statement as readonly (Statement & { Principal: unknown })[],
      )
      .filter(({ Principal }) => roles.some(([id]) => JSON.stringify(Principal).includes(`"${id}"`)))
      .map((statement) => rowOf(EMPTIES.name, statement, resources)),
  ];
}
