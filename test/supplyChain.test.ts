import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Locked {
  readonly version: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  /** Real name of a package that is installed by another. */
  readonly name?: string;
  readonly integrity?: string;
  readonly inBundle?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}
const lock = JSON.parse(text('package-lock.json')) as { packages: Record<string, Locked> };
const packages = Object.entries(lock.packages).filter(([path, { inBundle }]) => path !== '' && !inBundle);

/** Python packages that the project asks for, by file. */
const requirements = (readdirSync(join(ROOT, 'assets'), { recursive: true, encoding: 'utf8' }) as string[])
  .filter((name) => name.endsWith('requirements.txt'))
  .map((name) => `assets/${name}`);
const pinned = (file: string): string[] =>
  text(file)
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /^\w/.test(line));

test('every npm package is locked by its SHA-512, builds for other platforms, too', () => {
  const open = packages.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==/.test(integrity ?? ''));
  expect(open.map(([path]) => path)).toEqual([]);
});

test('the lock has the builds for every platform, without which npm ci fails on another', () => {
  const wanted = packages.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => [`${path}/node_modules/${name}`, `node_modules/${name}`]),
  );
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((places) => !places.some((place) => place in lock.packages))).toEqual([]);
});

test('every dependency is exact', () => {
  const { dependencies, devDependencies } = JSON.parse(text('package.json'));
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^(?:npm:[\w-]+@)?\d+\.\d+\.\d+$/.test(version as string),
  );
  expect(loose).toEqual([]);
});

test.each(requirements)('every Python package has an exact version and its hashes: %s', (file) => {
  expect(pinned(file).length).toBeGreaterThan(1);
  const open = pinned(file).filter((line) => !/^[\w.-]+(\[[\w,-]+\])?==\S+.*--hash=sha256:[0-9a-f]{64}/.test(line));
  expect(open).toEqual([]);
});

test('the bill of materials has every package of the lock and of the requirements, with the hash by which it is locked', () => {
  const bom = JSON.parse(
    execFileSync('node', ['scripts/sbom.mjs'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 }),
  ) as {
    bomFormat: string;
    components: { name: string; version: string; purl: string; hashes?: { content: string }[] }[];
  };
  expect(bom.bomFormat).toBe('CycloneDX');
  const listed = new Map<string, unknown[]>();
  for (const { name, version, hashes = [] } of bom.components)
    listed.set(`${name} ${version}`, [...(listed.get(`${name} ${version}`) ?? []), ...hashes]);
  // npm lists a package that is installed by another name under one of the two.
  const hashesOf = (path: string, { name = '', version }: Locked) =>
    [name, path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)]
      .map((one) => listed.get(`${one} ${version}`))
      .find((hashes) => hashes !== undefined);
  const missing = Object.entries(lock.packages).filter(([path, locked]) => {
    const hashes = path === '' ? [] : hashesOf(path, locked);
    return hashes === undefined || (path !== '' && locked.integrity !== undefined && hashes.length === 0);
  });
  expect(missing).toEqual([]);
  for (const file of requirements)
    for (const line of pinned(file)) {
      const [, name, version] = /^([\w.-]+).*?==([^\s;]+)/.exec(line) ?? [];
      expect(listed.has(`${name} ${version}`)).toBe(true);
    }
});
