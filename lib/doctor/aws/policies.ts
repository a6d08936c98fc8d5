import { CALLS } from '../../common/aws/account';

/** The template of a stack, as far as policies depend on it. */
export interface StackTemplate {
  readonly name: string;
  readonly resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>;
}

interface PolicyStatement {
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

export interface PolicyDocument {
  readonly Version: '2012-10-17';
  readonly Statement: readonly PolicyStatement[];
}

/** IAM's quota: characters of a managed policy, without white space. */
export const MOST_POLICY_CHARACTERS = 6144;

/** Actions of CloudFormation on resources of a type, by service. */
type Actions = Readonly<Record<string, string>>;

const TAGS = 'CreateTags DeleteTags Describe*';
const PASS = { iam: 'PassRole' };
/** Required of a key policy by FSx and EFS (OpenZFS user guide, encryption-rest; EFS user guide, encryption at rest). */
const FILE_SYSTEM_KEY = 'CreateGrant Decrypt DescribeKey GenerateDataKeyWithoutPlaintext';
const ALARM = 'DeleteAlarms DescribeAlarms ListTagsForResource TagResource UntagResource';
const RULE = 'AuthorizeSecurityGroup* Describe* RevokeSecurityGroup* UpdateSecurityGroupRuleDescriptions*';

/**
 * Actions of the handlers of resource types, as their schemas in the CloudFormation registry list them (`handlers.*.permissions`), without
 * those of features that no stack uses, such as load balancers. FSx's type has no list: its actions follow from the FSx API. Services whose
 * resources carry the name of their stack have `*`, on these resources alone: IAM's quota leaves no room for each of their actions.
 */
const HANDLERS: Readonly<Record<string, Actions>> = {
  'AWS::AutoScaling::AutoScalingGroup': {
    autoscaling: '* Describe*',
    ec2: 'CreateTags Describe* RunInstances',
    iam: 'CreateServiceLinkedRole PassRole',
    ssm: 'GetParameters',
  },
  'AWS::Budgets::Budget': { budgets: 'ListTagsForResource ModifyBudget TagResource UntagResource ViewBudget' },
  'AWS::CloudFormation::Stack': { cloudformation: 'CreateStack DeleteStack DescribeStacks GetTemplate UpdateStack' },
  'AWS::CloudFormation::WaitCondition': {},
  'AWS::CloudFormation::WaitConditionHandle': {},
  'AWS::CloudWatch::Alarm': { cloudwatch: `${ALARM} PutMetricAlarm` },
  'AWS::CloudWatch::CompositeAlarm': { cloudwatch: `${ALARM} PutCompositeAlarm` },
  'AWS::CloudWatch::Dashboard': { cloudwatch: 'DeleteDashboards GetDashboard PutDashboard' },
  'AWS::EC2::EIP': { ec2: `AllocateAddress AssociateAddress DisassociateAddress ReleaseAddress ${TAGS}` },
  'AWS::EC2::FlowLog': {
    ec2: `CreateFlowLogs DeleteFlowLogs ${TAGS}`,
    ...PASS,
    logs: 'CreateLogDelivery DeleteLogDelivery',
  },
  'AWS::EC2::Instance': {
    ec2: `AssociateIamInstanceProfile DisassociateIamInstanceProfile ModifyInstanceAttribute ModifyInstanceMetadataOptions RunInstances StartInstances StopInstances TerminateInstances ${TAGS}`,
    ...PASS,
    ssm: 'GetParameters',
  },
  'AWS::EC2::InternetGateway': { ec2: `CreateInternetGateway DeleteInternetGateway ${TAGS}` },
  'AWS::EC2::KeyPair': { ec2: `CreateKeyPair DeleteKeyPair ${TAGS}`, ssm: 'DeleteParameter PutParameter' },
  'AWS::EC2::LaunchTemplate': { ec2: `CreateLaunchTemplate CreateLaunchTemplateVersion DeleteLaunchTemplate ${TAGS}` },
  'AWS::EC2::NatGateway': { ec2: `CreateNatGateway DeleteNatGateway ${TAGS}` },
  'AWS::EC2::PlacementGroup': { ec2: `CreatePlacementGroup DeletePlacementGroup ${TAGS}` },
  'AWS::EC2::Route': { ec2: 'CreateRoute DeleteRoute Describe* ReplaceRoute' },
  'AWS::EC2::RouteTable': { ec2: `CreateRouteTable DeleteRouteTable ${TAGS}` },
  'AWS::EC2::SecurityGroup': {
    ec2: `AuthorizeSecurityGroup* CreateSecurityGroup DeleteSecurityGroup RevokeSecurityGroup* ${TAGS}`,
  },
  'AWS::EC2::SecurityGroupEgress': { ec2: RULE },
  'AWS::EC2::SecurityGroupIngress': { ec2: RULE },
  'AWS::EC2::Subnet': { ec2: `CreateSubnet DeleteSubnet ModifySubnetAttribute ${TAGS}` },
  'AWS::EC2::SubnetRouteTableAssociation': {
    ec2: 'AssociateRouteTable Describe* DisassociateRouteTable ReplaceRouteTableAssociation',
  },
  'AWS::EC2::VPC': { ec2: `CreateVpc DeleteVpc ModifyVpcAttribute ${TAGS}` },
  'AWS::EC2::VPCEndpoint': { ec2: `CreateVpcEndpoint DeleteVpcEndpoints ModifyVpcEndpoint ${TAGS}` },
  'AWS::EC2::VPCGatewayAttachment': { ec2: 'AttachInternetGateway Describe* DetachInternetGateway' },
  'AWS::EC2::Volume': { ec2: `CreateVolume DeleteVolume ModifyVolume ModifyVolumeAttribute ${TAGS}` },
  'AWS::EFS::FileSystem': {
    elasticfilesystem:
      'CreateFileSystem DeleteFileSystem DeleteFileSystemPolicy Describe* ListTagsForResource PutBackupPolicy PutFileSystemPolicy PutLifecycleConfiguration TagResource UntagResource UpdateFileSystem UpdateFileSystemProtection',
    iam: 'CreateServiceLinkedRole',
    kms: FILE_SYSTEM_KEY,
  },
  'AWS::EFS::MountTarget': {
    ec2: 'CreateNetworkInterface DeleteNetworkInterface Describe* ModifyNetworkInterfaceAttribute',
    elasticfilesystem: 'CreateMountTarget DeleteMountTarget Describe* ModifyMountTargetSecurityGroups',
  },
  'AWS::Events::Rule': { events: '*', ...PASS },
  'AWS::FSx::DataRepositoryAssociation': {
    fsx: 'CreateDataRepositoryAssociation DeleteDataRepositoryAssociation Describe* TagResource UntagResource UpdateDataRepositoryAssociation',
    iam: 'AttachRolePolicy CreateServiceLinkedRole PutRolePolicy',
  },
  'AWS::FSx::FileSystem': {
    ec2: 'Describe* GetSecurityGroupsForVpc',
    fsx: 'CreateFileSystem DeleteFileSystem Describe* ListTagsForResource TagResource UntagResource UpdateFileSystem',
    iam: 'CreateServiceLinkedRole',
    kms: FILE_SYSTEM_KEY,
    logs: 'DescribeLogGroups',
  },
  'AWS::IAM::InstanceProfile': { iam: '*InstanceProfile PassRole' },
  'AWS::IAM::ManagedPolicy': {
    iam: 'CreatePolicy CreatePolicyVersion DeletePolicy DeletePolicyVersion GetPolicy GetPolicyVersion ListEntitiesForPolicy ListPolicyVersions',
  },
  'AWS::IAM::Policy': { iam: 'DeleteRolePolicy GetRolePolicy PutRolePolicy' },
  'AWS::IAM::Role': {
    iam: 'AttachRolePolicy CreateRole DeleteRole DeleteRolePermissionsBoundary DeleteRolePolicy DetachRolePolicy GetRole GetRolePolicy ListAttachedRolePolicies ListRolePolicies PutRolePermissionsBoundary PutRolePolicy TagRole UntagRole UpdateAssumeRolePolicy UpdateRole UpdateRoleDescription',
  },
  'AWS::Lambda::Function': { ...PASS, lambda: '*', s3: 'GetObject' },
  'AWS::Logs::LogGroup': { logs: '* Describe*' },
  'AWS::S3::Bucket': {
    s3: 'CreateBucket DeleteBucket Get*Configuration GetBucket* PutBucketOwnershipControls PutBucketPublicAccessBlock PutBucketTagging PutBucketVersioning PutEncryptionConfiguration PutLifecycleConfiguration',
  },
  'AWS::S3::BucketPolicy': { s3: 'DeleteBucketPolicy GetBucket* PutBucketPolicy' },
  'AWS::SNS::Subscription': { sns: '*' },
  'AWS::SNS::Topic': { sns: '*' },
  'AWS::SNS::TopicPolicy': { sns: '*' },
  'AWS::SSM::Document': {
    ssm: 'AddTagsToResource CreateDocument DeleteDocument DescribeDocument GetDocument ListTagsForResource RemoveTagsFromResource UpdateDocument UpdateDocumentDefaultVersion',
  },
  'AWS::SSM::Parameter': { ssm: 'AddTagsToResource DeleteParameter GetParameters PutParameter RemoveTagsFromResource' },
  'AWS::Scheduler::Schedule': { ...PASS, scheduler: '*' },
  'AWS::StepFunctions::StateMachine': { ...PASS, states: '*' },
};

/** Parameters that a deployment reads: the bootstrap version, AWS's images, and the user's image. */
function parametersRead(stacks: readonly StackTemplate[]): string[] {
  const images = JSON.stringify(stacks).matchAll(/resolve:ssm:(?!\/aws\/service\/)\/?([\w./-]+)/g);
  const names = ['aws/service/*', 'cdk-bootstrap/*', ...[...images].map(([, name]) => name)];
  return [...new Set(names)].map((name) => `arn:*:ssm:*:*:parameter/${name}`);
}

/** Actions that the handler of a resource type calls. @throws if the table lacks the type */
export function actionsOf(type: string): string[] {
  const handler = type.startsWith('Custom::') ? { lambda: '*' } : HANDLERS[type];
  if (handler === undefined) throw new Error(`no actions are known for resources of type ${type}`);
  return namesOf(handler);
}

/** Actions as IAM names them: `ec2:CreateVpc`. */
const namesOf = (actions: Actions): string[] =>
  Object.entries(actions).flatMap(([service, names]) => names.split(' ').map((name) => `${service}:${name}`));

function actionsIn(stacks: readonly StackTemplate[]): string[] {
  const types = new Set(stacks.flatMap(({ resources }) => Object.values(resources).map(({ Type }) => Type)));
  return [...types].flatMap(actionsOf);
}

const keysIn = (stacks: readonly StackTemplate[]): string[] => [
  ...new Set(JSON.stringify(stacks).match(/arn:[\w-]+:kms:[\w-]+:\d{12}:[\w/-]+/g)),
];

/** The resources of an action. The first scope whose pattern matches applies; a scope with `also` adds the next one. */
interface Scope {
  readonly actions: RegExp;
  readonly resources: string | readonly string[];
  readonly condition?: PolicyStatement['Condition'];
  readonly also?: true;
}

/** Resources that CloudFormation names by their logical id; some names also have the stack. */
const namedByLogicalId = (stacks: readonly StackTemplate[], type: string, prefix: string): string[] =>
  stacks.flatMap(({ resources }) =>
    Object.entries(resources).flatMap(([id, { Type }]) => (Type === type ? [`${prefix}*${id}*`] : [])),
  );

const trusted = (stacks: readonly StackTemplate[]): string[] => {
  const all = stacks.flatMap(({ resources }) => Object.values(resources));
  const roles = JSON.stringify(all.filter(({ Type }) => Type === 'AWS::IAM::Role'));
  return [...new Set(roles.match(/[\w-]+\.amazonaws\.com(?=")/g) ?? [])].sort();
};

/** Resources that CloudFormation's actions are allowed on: those with the names or tags of the stacks, if the service knows them beforehand. */
function scopesOf(stacks: readonly StackTemplate[]): Scope[] {
  const using = (service: string): string[] =>
    stacks.flatMap((stack) =>
      actionsIn([stack]).some((action) => action.startsWith(`${service}:`)) ? [stack.name] : [],
    );
  const named = (prefix: string): string[] =>
    using(prefix.split(':')[0] as string).map((name) => `arn:*:${prefix}${name}-*`);
  const keys = keysIn(stacks);
  return [
    {
      actions: /^iam:PassRole$/,
      resources: named('iam::*:role/'),
      condition: { StringEquals: { 'iam:PassedToService': trusted(stacks) } },
    },
    // IAM lets nobody but AWS's services change what these roles may do.
    {
      actions: /^iam:(?:CreateServiceLinkedRole|AttachRolePolicy|PutRolePolicy)$/,
      resources: 'arn:*:iam::*:role/aws-service-role/*',
      also: true,
    },
    { actions: /^iam:CreateServiceLinkedRole$/, resources: [] },
    { actions: /^iam:\*InstanceProfile$/, resources: [...named('iam::*:instance-profile/'), ...named('iam::*:role/')] },
    {
      actions: /^iam:\w*(?:Policy|PolicyVersions?|EntitiesForPolicy)$/,
      resources: [...named('iam::*:policy/'), ...named('iam::*:role/')],
    },
    { actions: /^iam:/, resources: named('iam::*:role/') },
    { actions: /^s3:GetObject$/, resources: 'arn:*:s3:::cdk-*-assets-*' },
    { actions: /^s3:/, resources: using('s3').map((name) => `arn:*:s3:::${name.toLowerCase()}-*`) },
    { actions: /^sns:\*$/, resources: named('sns:*:*:') },
    { actions: /^lambda:/, resources: named('lambda:*:*:function:') },
    { actions: /^logs:\*$/, resources: named('logs:*:*:log-group:') },
    { actions: /^cloudformation:/, resources: named('cloudformation:*:*:stack/') },
    { actions: /^events:/, resources: named('events:*:*:rule/') },
    { actions: /^scheduler:/, resources: named('scheduler:*:*:schedule/*/') },
    { actions: /^autoscaling:\*$/, resources: named('autoscaling:*:*:autoScalingGroup:*:autoScalingGroupName/') },
    { actions: /^ssm:GetParameters$/, resources: parametersRead(stacks), also: true },
    {
      actions: /^ssm:/,
      resources: [
        ...named('ssm:*:*:document/'),
        'arn:*:ssm:*:*:parameter/ec2/keypair/*',
        ...namedByLogicalId(stacks, 'AWS::SSM::Parameter', 'arn:*:ssm:*:*:parameter/'),
      ],
    },
    {
      actions: /^states:/,
      resources: namedByLogicalId(stacks, 'AWS::StepFunctions::StateMachine', 'arn:*:states:*:*:stateMachine:'),
    },
    {
      actions: /^kms:/,
      resources: keys.length === 0 ? '*' : keys,
      condition: { StringLike: { 'kms:ViaService': ['fsx.*', 'elasticfilesystem.*'] } },
    },
    // Resources that hold data or run. Nothing else in the account can be ended.
    {
      actions: /:(?:DeleteFileSystem|DeleteVolume|StopInstances|TerminateInstances)$/,
      resources: '*',
      condition: { StringEquals: { 'aws:ResourceTag/aws:cloudformation:stack-name': using('ec2') } },
    },
    { actions: /:/, resources: '*' },
  ];
}

function statementsOf(actions: readonly string[], scopes: readonly Scope[]): PolicyStatement[] {
  let open = [...new Set(actions)].sort();
  return scopes.flatMap(({ actions: pattern, resources, condition, also }) => {
    const allowed = open.filter((action) => pattern.test(action));
    if (also === undefined) open = open.filter((action) => !pattern.test(action));
    if (allowed.length === 0 || resources.length === 0) return [];
    return [{ Effect: 'Allow', Action: allowed, Resource: resources, ...(condition && { Condition: condition }) }];
  });
}

/** The policy for CloudFormation's execution role: what the handlers of the stacks' resource types call. @throws if a type is unknown */
export function executionPolicy(stacks: readonly StackTemplate[]): PolicyDocument {
  const actions = ['ssm:GetParameters', ...actionsIn(stacks)];
  return { Version: '2012-10-17', Statement: statementsOf(actions, scopesOf(stacks)) };
}

/** Reads of the commands for runs and dashboards, in addition to those of doctor and `leftovers`. */
const READS: Actions = {
  autoscaling: 'DescribeAutoScalingGroups',
  cloudwatch: 'DescribeAlarms GetDashboard GetMetricData ListMetrics',
  fsx: 'DescribeDataRepositoryTasks DescribeVolumes',
  ssm: 'GetCommandInvocation',
};
const CHANGES: Actions = {
  fsx: 'UpdateFileSystem',
  kms: 'Decrypt GenerateDataKey',
  s3: 'AbortMultipartUpload GetObject ListBucket PutObject',
  ssm: 'PutParameter SendCommand',
  sts: 'AssumeRole',
};

/** The policy of a person who deploys, runs, reports and destroys; `cdk` assumes bootstrap roles. Without doctor's dry runs, which then report so. */
export function operatorPolicy(stack: StackTemplate, results: StackTemplate): PolicyDocument {
  const bucket = `arn:*:s3:::${results.name.toLowerCase()}-*`;
  const parameters = namedByLogicalId([stack], 'AWS::SSM::Parameter', 'arn:*:ssm:*:*:parameter/');
  const scopes: Scope[] = [
    {
      actions: /^sts:/,
      resources: ['deploy', 'file-publishing', 'lookup'].map((role) => `arn:*:iam::*:role/cdk-*-${role}-role-*`),
    },
    { actions: /^s3:(?:ListBucket)$/, resources: bucket },
    {
      actions: /^s3:\w+(?:Object|Upload)$/,
      resources: [`${bucket}/runs/${stack.name}/*`, `${bucket}/started/${stack.name}/*`],
    },
    { actions: /^ssm:GetParameter$/, resources: [...parametersRead([stack]), ...parameters] },
    { actions: /^ssm:PutParameter$/, resources: 'arn:*:ssm:*:*:parameter/*ExpiryDeadline*' },
    { actions: /^ssm:SendCommand$/, resources: [`arn:*:ssm:*:*:document/${stack.name}-*`, 'arn:*:ec2:*:*:instance/*'] },
    // Objects of the results bucket.
    {
      actions: /^kms:(?:Decrypt|GenerateDataKey)$/,
      resources: keysIn([results]),
      condition: { StringLike: { 'kms:ViaService': 's3.*' } },
    },
    {
      actions: /^fsx:Update/,
      resources: '*',
      condition: { StringEquals: { 'aws:ResourceTag/aws:cloudformation:stack-name': stack.name } },
    },
    { actions: /:/, resources: '*' },
  ];
  const asked = CALLS.filter((call) => call !== 'ec2:RunInstances' && call !== 'sts:GetCallerIdentity');
  const named = asked.map((call) => (call === 's3:ListBuckets' ? 's3:ListAllMyBuckets' : call));
  const actions = [...named, ...namesOf(READS), ...namesOf(CHANGES)];
  return { Version: '2012-10-17', Statement: statementsOf(actions, scopes) };
}
