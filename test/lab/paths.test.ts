import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldersIn, freeGib, labPaths, labPrefix, makeFolder, removeFolder } from '../../lib/lab/paths';

const root = mkdtempSync(join(tmpdir(), 'fsxbench-paths-'));
const paths = labPaths(root);
// Its program removes folders.
symlinkSync(join(__dirname, '../../assets'), join(root, 'assets'));
beforeEach(() => {
  rmSync(paths.lab, { recursive: true, force: true });
  mkdirSync(paths.substitutes, { recursive: true });
});
const at = (name: string) => join(paths.substitutes, name);

test('only folders that the lab made, and that are still those, are its own', () => {
  for (const name of ['lz4', 'none', 'moved']) makeFolder(paths, at(name));
  mkdirSync(at('of-the-user'));
  renameSync(at('moved'), join(root, 'elsewhere'));
  mkdirSync(at('moved'));
  expect(foldersIn(paths, paths.substitutes)).toEqual(['lz4', 'none']);
  expect(foldersIn(paths, paths.models)).toEqual([]);
});

test('what the lab made goes with its content; what a user put in its place stays', async () => {
  for (const name of ['lz4', 'none']) makeFolder(paths, at(name));
  writeFileSync(join(at('lz4'), 'image'), 'x');
  renameSync(at('none'), join(root, 'none'));
  mkdirSync(at('none'));
  writeFileSync(join(at('none'), 'thesis'), 'x');
  expect(await removeFolder(paths, at('lz4'))).toEqual([]);
  expect(existsSync(at('lz4'))).toBe(false);
  expect((await removeFolder(paths, at('none'))).join()).toContain(at('none'));
  expect(existsSync(join(at('none'), 'thesis'))).toBe(true);
});

test('nothing is made where something is that the lab did not make, or behind a link', () => {
  makeFolder(paths, at('lz4'));
  expect(() => makeFolder(paths, at('lz4'))).not.toThrow();
  mkdirSync(join(at('users'), 'own'), { recursive: true });
  expect(() => makeFolder(paths, at('users'))).toThrow('move it away');
  symlinkSync(root, at('link'));
  expect(() => makeFolder(paths, join(at('link'), 'x'))).toThrow('the lab cannot make');
});

test('two labs share no name, and one keeps its own', () => {
  expect(labPrefix(paths)).toMatch(/^fsxbench-[0-9a-f]{8}$/);
  expect(labPrefix(labPaths(root))).toBe(labPrefix(paths));
  expect(labPrefix(labPaths(`${root}2`))).not.toBe(labPrefix(paths));
});

test('a reserve is left out of the free GiB, of which there are never fewer than none', () => {
  const free = freeGib(paths, 0);
  expect(freeGib(paths, 1)).toBeGreaterThanOrEqual(free - 2);
  expect(freeGib(paths, 1)).toBeLessThanOrEqual(free);
  expect(freeGib(paths, 1e9)).toBe(0);
});
