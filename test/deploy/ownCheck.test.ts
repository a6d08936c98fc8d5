import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, CfnResource, CloudFormationValidatePlugin, Stack } from 'aws-cdk-lib';
import type { Benchmark } from '../../lib/benchmark/benchmark';
import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { offloadBench } from '../../lib/benchmark/offload';
import { storageBench } from '../../lib/benchmark/storage';
import { resolveBenchmark } from '../../lib/config/benchmark';
import type { Settings } from '../../lib/config/fields';
import { LustreDashboardStack } from '../../lib/constructs/storage/lustre/dashboard';
import { BenchResults } from '../../lib/deploy/application';
import { BenchmarkStack } from '../../lib/deploy/benchmarkStack';
import { appWithFlags } from '../support/cdk';
import { contextWithVpc, ENV, subnets, VPC_ID } from '../support/existingVpc';
import { FILE_SYSTEM } from '../support/lustreDashboard';
import { METADATA_OPTIONS, OFFLOAD_OPTIONS, OPTIONS, STORAGE_OPTIONS } from '../support/options';

// CDK's own check of templates, which the application leaves out (docs/decisions/synthesis.md). It takes seconds to start, so all templates are
// checked in one application.
const before = process.env.CDK_VALIDATION;
beforeAll(() => {
  process.env.CDK_VALIDATION = 'true';
});
afterAll(() => {
  process.env.CDK_VALIDATION = before;
});

/** Findings for which the check does not throw. */
function findingsIn(app: App): unknown[] {
  const file = join(app.synth().directory, 'validation-report.json');
  const { pluginReports } = JSON.parse(readFileSync(file, 'utf8')) as {
    pluginReports: { pluginName: string; violations: unknown[] }[];
  };
  expect(pluginReports.map(({ pluginName }) => pluginName)).toContain(CloudFormationValidatePlugin.PLUGIN_NAME);
  return pluginReports.flatMap(({ violations }) => violations);
}

test("finds nothing with CDK's own check of templates, for every stack, scale and option", () => {
  const app = appWithFlags(contextWithVpc(subnets('Private', ['us-east-1a'])));
  const { bucket } = new BenchResults(app, undefined, { env: ENV });
  let count = 0;
  const add = (definition: Benchmark, settings: Settings) =>
    new BenchmarkStack(app, `Bench${++count}`, {
      env: ENV,
      configuration: resolveBenchmark(definition, settings),
      results: bucket,
    });
  for (const settings of Object.values(OPTIONS)) add(compressionBench, settings);
  for (const settings of Object.values(METADATA_OPTIONS)) add(metadataBench, settings);
  for (const settings of Object.values(STORAGE_OPTIONS)) add(storageBench, settings);
  for (const settings of Object.values(OFFLOAD_OPTIONS)) add(offloadBench, settings);
  add(compressionBench, { availabilityZone: 'us-east-1d' });
  add(compressionBench, { vpcId: VPC_ID });
  // Not looked up yet: the CDK uses an invented VPC.
  add(compressionBench, { vpcId: 'vpc-0a1b2c3d4e5f60719', availabilityZone: 'us-east-1d' });
  new LustreDashboardStack(app, 'Watched', { fileSystemId: FILE_SYSTEM, metadataIops: 192_000, alarmEmail: 'a@b.org' });
  expect(findingsIn(app)).toEqual([]);
});

test('would hear it', () => {
  const app = appWithFlags();
  new CfnResource(new Stack(app, 'Wrong'), 'Bucket', { type: 'AWS::S3::Bucket', properties: { Nonsense: 1 } });
  expect(() => app.synth()).toThrow("Additional properties are not allowed ('Nonsense' was unexpected)");
});
