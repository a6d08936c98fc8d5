import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deploy } from '../../lib/lab/deploy';
import type { Lab } from '../../lib/lab/lab';
import { labPaths } from '../../lib/lab/paths';
import { temporaryFolder } from '../run/bench';

/** Progress lines of a deployment that a script replaces, each with what is under way then. */
async function told(script: string): Promise<[line: string, next?: string][]> {
  const root = temporaryFolder();
  const folder = join(root, 'node_modules', '.bin');
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(root, '.lab'));
  writeFileSync(join(folder, 'cdk'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'cdk'), 0o755);
  const lines: [string, string?][] = [];
  const lab = { paths: labPaths(root), environment: {} } as unknown as Lab;
  await deploy({ lab, stacks: ['A'], onProgress: (...said) => void lines.push(said) });
  return lines.slice(1);
}

test('a line of the CDK is told as a whole, in however many pieces it comes', async () => {
  // The sign of success has three bytes.
  const script = `printf 'A: depl'; sleep 0.1; printf 'oying... [1/1]\\n\\n \\342'; sleep 0.1; printf '\\234\\205  A\\n'`;
  expect((await told(script)).map(([line]) => line)).toEqual(['A: deploying... [1/1]', '✅  A']);
});

test('what is under way is not what the CDK CLI said last, and its quotas are nobody’s concern in the lab', async () => {
  const lines = [
    '✅  Environment aws://123456789012/us-east-1 bootstrapped.',
    '✨  Synthesis time: 4.2s',
    'WARNING 8 × c5n.9xlarge are 288 vCPUs, of which a new account has 5 in a Region',
    'CompressionBench: deploying... [2/2]',
    ' ✅  CompressionBench',
  ];
  expect(await told(`cat <<'END'\n${lines.join('\n')}\nEND`)).toEqual([
    ['✅  Environment aws://123456789012/us-east-1 bootstrapped.', 'making the file systems'],
    ['✨  Synthesis time: 4.2s', 'preparing the stacks'],
    ['CompressionBench: deploying... [2/2]', undefined],
    ['✅  CompressionBench', 'asking what was deployed'],
  ]);
});

test('a deployment that fails says with which status, and the last that it said', async () => {
  await expect(told("echo first; echo 'no such stack' >&2; exit 3")).rejects.toThrow(
    /^cdk deploy A --require-approval ended with status 3:\n(.*\n)*no such stack/,
  );
});
