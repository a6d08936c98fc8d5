// The software bill of materials, CycloneDX 1.5 as JSON on stdout: the npm packages of package-lock.json, as npm itself lists them, and the Python packages of
// every requirements.txt, with their hashes.
//
// usage: npm run --silent sbom >sbom.json
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/project.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');

/** `name==version` lines of a requirements file, with the hashes that follow each. */
function requirements(file) {
  const all = read(file).matchAll(/^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)((?:.*\\\n)*.*)/gm);
  return [...all].map(([, name, version, rest]) => {
    const purl = `pkg:pypi/${name.toLowerCase().replaceAll(/[._]/g, '-')}@${version}`;
    const hashes = [...rest.matchAll(/sha256:([0-9a-f]{64})/g)].map(([, content]) => ({ alg: 'SHA-256', content }));
    // Several files may ask for the same package: one component each, which says where it is from.
    const properties = [{ name: 'fsxbench:requirements', value: file }];
    return { 'bom-ref': `${file}#${purl}`, type: 'library', name, version, purl, hashes, properties };
  });
}

const command = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
const options = { cwd: root, maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'ignore'] };
const npm = JSON.parse(execFileSync('npm', command, options));
// npm lists a package once, and the copy that another package bundles has no hash.
const locked = new Map();
for (const [path, { name, version, integrity }] of Object.entries(JSON.parse(read('package-lock.json')).packages))
  if (integrity)
    locked.set(`${name ?? path.split('node_modules/').at(-1)}@${version}`, integrity.slice('sha512-'.length));
for (const component of npm.components) {
  const sum = locked.get(`${component.name}@${component.version}`);
  if (sum) component.hashes ??= [{ alg: 'SHA-512', content: Buffer.from(sum, 'base64').toString('hex') }];
}
npm.metadata.component.name = 'fsxbench';
npm.components.push(...globSync('assets/**/requirements.txt', { cwd: root }).sort().flatMap(requirements));
process.stdout.write(`${JSON.stringify(npm, null, 1)}\n`);
