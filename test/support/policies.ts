import type { Resource } from './cdk';

export const ACCOUNT = '123456789012';
export const REGION = 'us-east-1';
/** The results bucket, as the simulation calls it. */
export const RESULTS = 'results';

/** One request to AWS. */
export interface Call {
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, string>>;
}

export interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly Sid?: string;
  readonly [key: string]: unknown;
}

type Resources = Readonly<Record<string, Resource>>;

/** All that a principal of a template may do, under a name for people. */
export interface Principal {
  readonly name: string;
  readonly statements: readonly Statement[];
}

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::AccountId': ACCOUNT,
  'AWS::Region': REGION,
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackId': `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/Stack/1`,
};

/** A value of a template as CloudFormation would fill it in: ids are the logical ones. @throws where it uses what is not known here */
export function resolved(value: unknown, resources: Resources): string {
  if (typeof value === 'string') return value;
  const [[name, argument] = ['', null]] = Object.entries(value as Record<string, unknown>);
  if (name === 'Ref') return PSEUDO[argument as string] ?? (argument as string);
  if (name === 'Fn::Sub')
    return (argument as string).replaceAll(/\$\{([^}]+)\}/g, (_, one: string) => PSEUDO[one] ?? one);
  if (name === 'Fn::Join') {
    const [separator, parts] = argument as [string, unknown[]];
    return parts.map((part) => resolved(part, resources)).join(separator);
  }
  if (name === 'Fn::ImportValue')
    return (argument as string).includes('FnGetAtt') ? `arn:aws:s3:::${RESULTS}` : RESULTS;
  if (name === 'Fn::GetAtt') {
    const [id, attribute] = argument as [string, string];
    if (attribute !== 'Arn') return id;
    const service = resources[id]?.Type.split('::')[1]?.toLowerCase();
    return service === 'logs'
      ? `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${id}:*`
      : `arn:aws:${service}:${REGION}:${ACCOUNT}:${id}`;
  }
  throw new Error(`the simulation does not know ${JSON.stringify(value)}`);
}

const list = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

/** `*` and `?` as IAM has them. */
function matches(pattern: string, text: string, flags = ''): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, flags).test(text);
}

/** Only what our policies use is known; anything else stops the test instead of passing for an answer. */
function holds(condition: Statement['Condition'], context: Call['context'] = {}, resources: Resources): boolean {
  return Object.entries(condition ?? {}).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => {
      const found = context[key];
      const values = (): readonly string[] => list(wanted).map((value) => resolved(value, resources));
      if (operator === 'StringEquals' || operator === 'Bool') return found !== undefined && values().includes(found);
      if (operator === 'StringLike' || operator === 'ArnLike')
        return found !== undefined && values().some((value) => matches(value, found));
      throw new Error(`the simulation does not know the condition ${operator}`);
    }),
  );
}

const KNOWN = ['Effect', 'Action', 'Resource', 'Condition', 'Sid'];

/** The answer of IAM: an explicit denial wins, and without an allow the call is denied (IAM user guide, reference_policies_evaluation-logic). */
export function isAllowed({ statements }: Principal, call: Call, resources: Resources = {}): boolean {
  const applying = statements.filter((statement) => {
    const unknown = Object.keys(statement).filter((key) => !KNOWN.includes(key));
    if (unknown.length > 0) throw new Error(`the simulation does not know ${unknown.join(', ')}`);
    return (
      list(statement.Action).some((action) => matches(action, call.action, 'i')) &&
      list(statement.Resource).some((resource) => matches(resolved(resource, resources), call.resource)) &&
      holds(statement.Condition, call.context, resources)
    );
  });
  return applying.some(({ Effect }) => Effect === 'Allow') && !applying.some(({ Effect }) => Effect === 'Deny');
}

type Document = { readonly Statement: readonly Statement[] };

/** Roles of a template with all of their policies, and managed policies that roles made elsewhere get. */
export function principalsOf(resources: Resources): Principal[] {
  const entries = Object.entries(resources);
  const documents = (role: string): Document[] => [
    ...(resources[role]?.Properties.Policies ?? []).map(
      ({ PolicyDocument }: { PolicyDocument: Document }) => PolicyDocument,
    ),
    ...entries
      .filter(
        ([, { Type, Properties }]) =>
          Type === 'AWS::IAM::Policy' && JSON.stringify(Properties.Roles).includes(`"${role}"`),
      )
      .map(([, { Properties }]) => Properties.PolicyDocument),
  ];
  return entries.flatMap(([id, { Type, Properties }]): Principal[] => {
    if (Type === 'AWS::IAM::ManagedPolicy')
      return [{ name: Properties.Description, statements: Properties.PolicyDocument.Statement }];
    if (Type !== 'AWS::IAM::Role') return [];
    if (Properties.ManagedPolicyArns !== undefined)
      throw new Error(`${id} has managed policies, which the simulation cannot read`);
    return [{ name: Properties.Description ?? id, statements: documents(id).flatMap(({ Statement }) => Statement) }];
  });
}
