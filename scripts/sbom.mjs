// The software bill of materials, CycloneDX 1.5 as JSON on stdout: the npm packages of package-lock.json, as npm itself lists them, and the Python packages of
// every requirements.txt, with their hashes.
//
// usage: npm run --silent sbom >sbom.json
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/project.mjs';

/** `name==version` lines of a requirements file, with the hashes that follow each. */
function requirements(file) {
  const text = readFileSync(join(root, file), 'utf8').replaceAll('\\\n', ' ');
  return text.split('\n').flatMap((line) => {
    const [, name, version] = /^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)/.exec(line) ?? [];
    if (!name) return [];
    const purl = `pkg:pypi/${name.toLowerCase().replaceAll(/[._]/g, '-')}@${version}`;
    const hashes = [...line.matchAll(/--hash=sha256:([0-9a-f]{64})/g)].map(([, content]) => ({
      alg: 'SHA-256',
      content,
    }));
    // Several files may ask for the same package: one component each, which says where it is from.
    const properties = [{ name: 'fsxbench:requirements', value: file }];
    return [{ 'bom-ref': `${file}#${purl}`, type: 'library', name, version, purl, hashes, properties }];
  });
}

const npm = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);
// npm lists a package once, and the copy that another package bundles has no hash.
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
const locked = new Map(
  Object.entries(lock).flatMap(([path, { name, version, integrity }]) =>
    integrity
      ? [[`${name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`, integrity]]
      : [],
  ),
);
for (const component of npm.components) {
  const integrity = locked.get(`${component.name}@${component.version}`);
  if (component.hashes || !integrity) continue;
  const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
  component.hashes = [{ alg: 'SHA-512', content }];
}
const files = readdirSync(join(root, 'assets'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('requirements.txt'))
  .map((name) => `assets/${name}`)
  // One of them is a link to another.
  .filter((name) => realpathSync(join(root, name)) === join(realpathSync(root), name))
  .sort();
const python = files.flatMap(requirements);
npm.metadata.component.name = 'fsxbench';
process.stdout.write(`${JSON.stringify({ ...npm, components: [...npm.components, ...python] }, null, 1)}\n`);
