import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REGION_VARIABLES } from '../../lib/common/aws/environment';
import { MODEL_LIMITS } from '../../lib/schema/model';
import { PROJECT, textOf } from './pages';

const PAGE = textOf('docs/environment.md');

const sources = ['lib', 'bin'].flatMap((folder) =>
  (readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }) as string[])
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(PROJECT, folder, name), 'utf8')),
);

test('docs/environment.md has every variable that the commands read', () => {
  const read = sources.flatMap((text) => [...text.matchAll(/\b(?:env|environment)\.([A-Z][A-Z_]+)/g)]);
  const names = new Set([...read.map(([, name = '']) => name), ...REGION_VARIABLES, MODEL_LIMITS]);
  expect(names.size).toBeGreaterThan(15);
  expect([...names].filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
});

test('docs/environment.md has every variable that scripts on clients read, but those of fsxbench itself', () => {
  const folder = join(PROJECT, 'assets/client/lib');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.mjs'));
  const names = scripts.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/\bprocess\.env\.([A-Z][A-Z0-9_]+)/g)].map(
      ([, one = '']) => one,
    ),
  );
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !name.startsWith('FSXBENCH_') && !PAGE.includes(`\`${name}\``))).toEqual([]);
});

test('the Node.js and the CDK of docs/environment.md are those of package.json', () => {
  const { engines, peerDependencies } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
  expect(PAGE).toContain(`- Node.js: ${engines.node.slice('>='.length)} and newer`);
  for (const name of ['aws-cdk-lib', 'constructs'])
    expect(PAGE).toContain(`\`${name}\` ${peerDependencies[name].slice(1)} or newer`);
});

test('the ParallelCluster of docs/environment.md is the pinned one', () => {
  const pinned = readFileSync(join(PROJECT, 'assets/parallelcluster/requirements.txt'), 'utf8');
  expect(PAGE).toContain(`- AWS ParallelCluster: ${/^aws-parallelcluster==(\S+)/m.exec(pinned)?.[1]}\n`);
});
