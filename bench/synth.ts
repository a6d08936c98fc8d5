/** How long synthesis of all stacks takes, as a multiple of a Node.js process that only loads aws-cdk-lib's EC2 module. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROUNDS = 5;
const app = (JSON.parse(readFileSync('cdk.json', 'utf8')) as { app: string }).app.split(' ');
const outdir = mkdtempSync(join(tmpdir(), 'fsxbench-bench-'));
const environment = { ...process.env, CDK_OUTDIR: outdir, CDK_VALIDATION: 'false' };

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'loading aws-ec2': [process.execPath, '-e', "require('aws-cdk-lib/aws-ec2').Vpc"],
  'synth of all stacks': app,
};

const times = new Map<string, number[]>(Object.keys(COMMANDS).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, [command = '', ...args]] of Object.entries(COMMANDS)) {
    const started = process.hrtime.bigint();
    const { status, stderr } = spawnSync(command, args, { env: environment, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name} ended with status ${status}: ${stderr}`);
    times.get(name)?.push(Number(process.hrtime.bigint() - started) / 1e6);
  }
}
rmSync(outdir, { recursive: true });
const best = (name: string): number => Math.min(...(times.get(name) ?? []));
for (const name of times.keys())
  console.log(
    `${name.padEnd(24)} ${best(name).toFixed(0).padStart(5)} ms  ${(best(name) / best('loading aws-ec2')).toFixed(2)} ×`,
  );
