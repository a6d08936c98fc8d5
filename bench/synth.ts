/**
 * Time of `npx cdk synth CompressionBench`, as users type it, as a multiple of an application with one resource as created by `cdk init`
 * (ts-node, our feature flags), through the same command line, in the same rounds; with and without CDK's own template check, which our
 * application leaves to the tests (docs/decisions/synthesis.md).
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printTimes, timeCommands } from './shared/rounds';

const ROUNDS = 5;
const APP = `import { App, CfnResource, Stack } from 'aws-cdk-lib';
new CfnResource(new Stack(new App(), 'Empty'), 'Topic', { type: 'AWS::SNS::Topic' });
`;

const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-bench-'));
const cdkJson = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')) as object;
mkdirSync(join(folder, 'empty'));
for (const name of ['node_modules', 'tsconfig.json']) symlinkSync(join(root, name), join(folder, 'empty', name));
const app = 'node_modules/.bin/ts-node --transpile-only --prefer-ts-exts app.ts';
writeFileSync(join(folder, 'empty', 'cdk.json'), JSON.stringify({ ...cdkJson, app }));
writeFileSync(join(folder, 'empty', 'app.ts'), APP);

const synth = (stack: string, project: string) => [
  'sh',
  '-c',
  `cd ${project} && exec npx cdk synth ${stack} --output ${join(folder, 'cdk.out')}`,
];
for (const [title, validation] of [
  ['as users type it', {}],
  ["without CDK's own check", { CDK_VALIDATION: 'false' }],
] as const) {
  const environment = { AWS_REGION: 'us-east-1', AWS_EC2_METADATA_DISABLED: 'true', ...validation };
  console.log(title);
  printTimes(
    timeCommands(
      {
        'an application with one topic': synth('Empty', join(folder, 'empty')),
        CompressionBench: synth('CompressionBench', root),
      },
      ROUNDS,
      { ...process.env, ...environment },
    ),
  );
}
rmSync(folder, { recursive: true });
