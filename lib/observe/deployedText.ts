import * as z from 'zod';
import { type Deployment, deploymentSchema } from '../schema/deployment';
import { parseJson } from '../schema/document';
import type { BodyFacts } from '../storage/watch';

/** Parts of a deployed body that nothing else has: the alarms that it shows, and the choices that it offers. */
const body = z.looseObject({
  widgets: z.array(z.looseObject({ properties: z.looseObject({ alarms: z.array(z.string()).default([]) }) })),
  variables: z.array(z.looseObject({ id: z.string(), defaultValue: z.string().optional() })).default([]),
});

/** Reads a dashboard's body. @throws Error for one that CloudWatch would refuse, with the first problem */
export function factsInBody(text: string): BodyFacts {
  const parsed = body.safeParse(parsedJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(
      `the dashboard's body must have the form of CloudWatch's: ${issue?.path.join('.')}: ${issue?.message}`,
    );
  }
  const { widgets, variables } = parsed.data;
  return {
    alarms: widgets.flatMap(({ properties }) => properties.alarms),
    variables: Object.fromEntries(variables.map(({ id, defaultValue = '' }) => [id, defaultValue])),
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the dashboard's body must be JSON: ${(error as Error).message}`);
  }
}

const resource = z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).optional() });
const template = z.looseObject({ Resources: z.record(z.string(), resource) });
const deployed = deploymentSchema.pick({
  schema: true,
  benchmark: true,
  autoScalingGroup: true,
  instanceType: true,
  clients: true,
  hourlyUsd: true,
  arms: true,
});

/** Facts of a synthesised template. Alarms are named; other values known only after deployment are their logical ids. */
export interface TemplateFacts extends BodyFacts {
  /** `null` in a template of no benchmark. */
  readonly deployment: Pick<
    Deployment,
    'benchmark' | 'autoScalingGroup' | 'instanceType' | 'clients' | 'hourlyUsd' | 'arms'
  > | null;
}

/** Reads a template. @throws Error for one that has no dashboard, or several */
export function factsInTemplate(text: string): TemplateFacts {
  const json = parseJson(text);
  const parsed = template.safeParse(json);
  if (!parsed.success) {
    const got = json === undefined ? 'a file that is not JSON' : 'other JSON';
    throw new Error(
      `'--template' must be a template of CloudFormation in JSON, got ${got}: 'npx cdk synth' writes one for each stack to cdk.out`,
    );
  }
  const { Resources: resources } = parsed.data;
  const filled = (part: unknown): string => {
    if (typeof part === 'string') return part;
    const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = (part ?? {}) as Record<string, unknown>;
    if (Array.isArray(joined)) return (joined[1] as unknown[]).map(filled).join(String(joined[0]));
    const id = String(Ref ?? (Array.isArray(attribute) ? attribute[0] : 'unknown'));
    return String(resources[id]?.Properties?.AlarmName ?? id);
  };
  const ofType = (type: string, property: string): string[] =>
    Object.values(resources).flatMap(({ Type, Properties }) => (Type === type ? [filled(Properties?.[property])] : []));
  const bodies = ofType('AWS::CloudWatch::Dashboard', 'DashboardBody');
  const [only] = bodies;
  if (only === undefined || bodies.length > 1)
    throw new Error(`'--template' must have one dashboard, got ${bodies.length}`);
  const [deployment = null] = ofType('AWS::SSM::Parameter', 'Value').flatMap((value) => {
    const found = value.startsWith('{') ? deployed.safeParse(JSON.parse(value)) : null;
    return found?.success ? [found.data as TemplateFacts['deployment']] : [];
  });
  return { ...factsInBody(only), deployment };
}
