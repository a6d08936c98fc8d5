// Removes the folders into which tests synthesise.
import 'aws-cdk-lib/testhelpers/jest-autoclean';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack, type StackProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as cxapi from 'aws-cdk-lib/cx-api';
import type { Benchmark } from '../../lib/benchmark/benchmark';
import { compressionBench } from '../../lib/benchmark/compression';
import { resolveBenchmark } from '../../lib/config/benchmark';
import type { Settings } from '../../lib/config/fields';
import { CLIENT_SCRIPT, cloudConfig } from '../../lib/constructs/machine/userData';
import { BenchResults } from '../../lib/deploy/application';
import { BenchmarkStack, type BenchmarkStackProps } from '../../lib/deploy/benchmarkStack';

/** Resources of a template by logical id, as far as tests look into them. */
export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: templates are JSON of any shape
  readonly Properties: any;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly [key: string]: any;
}

const CDK_JSON = JSON.parse(readFileSync(join(__dirname, '../../cdk.json'), 'utf8')) as {
  context: Record<string, unknown>;
};

/** An application with the feature flags of cdk.json: tests see exactly the deployed templates. */
export function appWithFlags(context: Record<string, unknown> = {}, outdir?: string): App {
  const quiet = {
    // Warnings would be printed at every synth; tests look for them where they matter.
    '@aws-cdk/core:annotationsInValidationReport': false,
    // Copies of assets, stack traces of resources and AWS's usage metadata are not part of a template, and took more than half of the time of a
    // synth. A caller that names a folder reads it.
    [cxapi.DISABLE_ASSET_STAGING_CONTEXT]: outdir === undefined,
    [cxapi.DISABLE_CREATION_STACK_TRACES]: true,
    [cxapi.DISABLE_METADATA_STACK_TRACE]: true,
    [cxapi.DISABLE_LOGICAL_ID_METADATA]: true,
    [cxapi.ENABLE_ADDITIONAL_METADATA_COLLECTION]: false,
  };
  return new App({
    context: { ...CDK_JSON.context, ...quiet, ...context },
    analyticsReporting: false,
    // Takes seconds for each template: one test turns it on, for every stack.
    builtinCloudFormationValidation: process.env.CDK_VALIDATION === 'true',
    treeMetadata: false,
    outdir,
  });
}

/** A separate stack for a construct under test. */
export function emptyStack(props: StackProps = {}): Stack {
  return new Stack(appWithFlags(), 'Test', props);
}

/** The CDK command line always knows a Region; without credentials no account. */
const REGION: StackProps = { env: { region: 'us-east-1' } };

/** The results and one benchmark, as bin/app.ts makes them. */
export function stacksWith(
  settings: Settings = {},
  { models, user, ...props }: StackProps & Pick<BenchmarkStackProps, 'models' | 'user'> = REGION,
  context: Record<string, unknown> = {},
  definition: Benchmark = compressionBench,
  outdir?: string,
) {
  const app = appWithFlags(context, outdir);
  const results = new BenchResults(app, undefined, { ...props, kmsKeyArn: settings.kmsKeyArn });
  const bench = new BenchmarkStack(app, definition.name, {
    ...props,
    configuration: resolveBenchmark(definition, settings, props.env?.region),
    results: results.bucket,
    models,
    user,
  });
  return { app, results, bench };
}

/** The whole template of a stack. */
// biome-ignore lint/suspicious/noExplicitAny: templates are JSON of any shape
export function templateOf(stack: Stack): any {
  return Template.fromStack(stack).toJSON();
}

export function resourcesOf(stack: Stack): Readonly<Record<string, Resource>> {
  return templateOf(stack).Resources;
}

/** Resources of one type, with their logical ids. */
export function ofType(resources: Readonly<Record<string, Resource>>, type: string): [string, Resource][] {
  return Object.entries(resources).filter(([, resource]) => resource.Type === type);
}

/** The only resource of a type. */
export function theOnly(resources: Readonly<Record<string, Resource>>, type: string): Resource {
  const found = ofType(resources, type);
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} resources of type ${type}`);
  return found[0][1];
}

/** The parameter that says what a stack deployed; that of its deadline is another. */
export function deploymentParameter(resources: Readonly<Record<string, Resource>>): [string, Resource] {
  const [found] = ofType(resources, 'AWS::SSM::Parameter').filter(([id]) => id.startsWith('DeploymentParameter'));
  if (found === undefined) throw new Error('no parameter with the deployment');
  return found;
}

/** The launch template of a stack's clients; that of its builder is another. */
export function clientTemplate(resources: Readonly<Record<string, Resource>>): Resource {
  const [found] = ofType(resources, 'AWS::EC2::LaunchTemplate').filter(([id]) => id.startsWith('Fleet'));
  if (found === undefined) throw new Error('no launch template of a fleet');
  return found[1];
}

/** Its form in user data. */
const SCRIPT = /content: \|\n([\s\S]*)\nruncmd:/.exec(cloudConfig(CLIENT_SCRIPT))?.[1] ?? '';

/** A template without what changes with every edit of an asset. */
export function masked(stack: Stack): unknown {
  if (SCRIPT === '') throw new Error('user data must hold the client’s script in a block, found none');
  const script = JSON.stringify(SCRIPT).slice(1, -1);
  const text = JSON.stringify(templateOf(stack))
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replaceAll(script, '<assets/client/user-data.sh>');
  return JSON.parse(text);
}
