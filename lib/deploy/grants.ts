import { Aws, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { ConfigurationError } from '../common/configurationError';
import type { BenchmarkConfiguration } from '../config/benchmark';
import type { FleetConstruct } from '../constructs/fleet/construct';
import type { StorageConstruct } from '../constructs/storage/construct';
import type { FleetConfiguration } from '../fleet/fleet';

/** Characters of the inputs' ARNs. The inline policies of a role have 10,240 (IAM quotas), of which clients of many storages need half. */
const MOST_INPUT_CHARACTERS = 5000;

/** Lets clients read what a plan fetches for the user's program. @throws ConfigurationError where nothing, or not so much, can be granted to them */
export function allowInputs({ inputs, fleet }: BenchmarkConfiguration, { role }: FleetConstruct): void {
  if (inputs.length === 0) return;
  if (role === null)
    throw new ConfigurationError([
      `'inputs' must be absent with fleet ${fleet.kind}, whose roles are made outside this stack, got ${inputs.join(', ')}. ` +
        "Leave it out, or set 'fleet' to ec2.",
    ]);
  const resources = inputs.map((input) => {
    const [bucket, ...prefix] = input.slice('s3://'.length).split('/');
    return `arn:${Aws.PARTITION}:s3:::${bucket}/${prefix.join('/')}*`;
  });
  const characters = inputs.map((input) => `"arn:aws:${input}*"`).join(',').length;
  if (characters > MOST_INPUT_CHARACTERS)
    throw new ConfigurationError([
      `'inputs' must fit into the policy of the clients with at most ${MOST_INPUT_CHARACTERS} characters as ARNs, got ${inputs.length} with ${characters}. ` +
        'Name prefixes that several of them have in common.',
    ]);
  role.addToPrincipalPolicy(new iam.PolicyStatement({ sid: 'Inputs', actions: ['s3:GetObject'], resources }));
  for (const resource of resources)
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${resource.replace(Aws.PARTITION, '<AWS::Partition>')}]`,
      reason: 'The user names the prefix whose objects are the inputs of a pipeline.',
    });
}

/** Grants the rights that clients need to mount a storage, if any. Without them clients would boot, and fail at their mount. @throws ConfigurationError where nothing can be granted to them */
export function grantStorage(
  storage: StorageConstruct,
  arm: string,
  { kind }: FleetConfiguration,
  { role }: FleetConstruct,
): void {
  if (storage.grantClients === undefined) return;
  if (role === null)
    throw new ConfigurationError([
      `'fleet' must be one whose roles this stack makes with arm ${arm}, which clients need rights to mount, got ${kind}. ` +
        "Set it to ec2, or leave the arm out with 'arms'.",
    ]);
  storage.grantClients(role);
}
