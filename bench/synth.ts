/** How long synthesis of all stacks takes, as a multiple of a Node.js process that only loads aws-cdk-lib's EC2 module. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { best, printTimes, timeCommands } from './shared/rounds';

const ROUNDS = 5;
const app = (JSON.parse(readFileSync('cdk.json', 'utf8')) as { app: string }).app.split(' ');
const outdir = mkdtempSync(join(tmpdir(), 'fsxbench-bench-'));
const environment = { ...process.env, CDK_OUTDIR: outdir, CDK_VALIDATION: 'false' };

const times = timeCommands(
  { 'loading aws-ec2': [process.execPath, '-e', "require('aws-cdk-lib/aws-ec2').Vpc"], 'synth of all stacks': app },
  ROUNDS,
  environment,
);
rmSync(outdir, { recursive: true });
printTimes(times, best);
