import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deploy } from '../../lib/lab/deploy';
import type { Lab } from '../../lib/lab/lab';
import { labPaths } from '../../lib/lab/paths';
import { temporaryFolder } from '../run/bench';

/** Progress lines of a deployment that a script replaces. */
async function told(script: string): Promise<string[]> {
  const root = temporaryFolder();
  const folder = join(root, 'node_modules', '.bin');
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(root, '.lab'));
  writeFileSync(join(folder, 'cdk'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'cdk'), 0o755);
  const lines: string[] = [];
  const lab = { paths: labPaths(root), environment: {} } as unknown as Lab;
  await deploy({ lab, stacks: ['A'], onProgress: (line) => void lines.push(line) });
  return lines;
}

test('a line of the CDK is told as a whole, in however many pieces it comes', async () => {
  // The sign of success has three bytes.
  const script = `printf 'A: depl'; sleep 0.1; printf 'oying... [1/1]\\n\\n \\342'; sleep 0.1; printf '\\234\\205  A\\n'`;
  expect((await told(script)).slice(1)).toEqual(['A: deploying... [1/1]', '✅  A']);
});

test('a deployment that fails says with which status, and the last that it said', async () => {
  await expect(told("echo first; echo 'no such stack' >&2; exit 3")).rejects.toThrow(
    /^cdk deploy A --require-approval ended with status 3:\n(.*\n)*no such stack/,
  );
});
