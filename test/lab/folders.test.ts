import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { labDown } from '../../lib/lab/down';
import { foldersIn, type LabPaths, labPaths, makeFolder, removeFolder } from '../../lib/lab/paths';
import { makeStorages } from '../../lib/lab/storages';
import { temporaryFolder } from '../run/bench';
import { userNumber } from '../support/users';
import { ARMS, commandProject, PROJECT } from './support';

let paths: LabPaths;
let precious: string;
beforeEach(() => {
  const root = temporaryFolder();
  symlinkSync(join(PROJECT, 'assets'), join(root, 'assets'));
  paths = labPaths(root);
  precious = join(root, 'precious');
  mkdirSync(join(precious, 'none'), { recursive: true });
  writeFileSync(join(precious, 'none', 'data'), 'x');
});
const isThere = () => expect(readFileSync(join(precious, 'none', 'data'), 'utf8')).toBe('x');
const up = () => makeStorages({ paths, arms: ARMS, directories: true, record: async () => {} });

test('lab down as a user without rights removes nothing behind a link in the place of its folder, and says so', async () => {
  const { root, remove } = await commandProject();
  try {
    chmodSync(root, 0o755);
    const user = userNumber(65_534, join(PROJECT, 'dist/fsxbench.js'));
    mkdirSync(join(root, 'precious', 'none'), { recursive: true });
    writeFileSync(join(root, 'precious', 'none', 'data'), 'x');
    symlinkSync('../precious', join(root, '.lab/mnt'));
    for (const folder of ['precious', '.lab', 'dist']) user.own(join(root, folder));
    const argv = [...user.prefix, process.execPath, join(root, 'dist/fsxbench.js'), 'lab', 'down'];
    const { stderr, status } = spawnSync('env', argv, { encoding: 'utf8', env: { PATH: process.env.PATH } });
    expect(stderr).toContain(`'${join(root, '.lab/mnt')}' is not what this lab made, and stays as it is: move it away`);
    expect(status).toBe(1);
    expect(readdirSync(join(root, 'precious', 'none'))).toEqual(['data']);
  } finally {
    remove();
  }
});

test('a lab that is up does not follow a link that took the place of its folder', async () => {
  await up();
  renameSync(paths.mounts, `${paths.mounts}.away`);
  symlinkSync(precious, paths.mounts);
  await expect(labDown(paths.root)).rejects.toThrow(`'${paths.mounts}' leads to '${precious}' by a link`);
  isThere();
});

test('a folder that took the place of one of the lab stays, and so does one beside it', async () => {
  await up();
  const none = join(paths.mounts, 'none');
  renameSync(none, join(paths.mounts, 'moved'));
  writeFileSync(join(paths.mounts, 'moved', 'data'), 'x');
  renameSync(join(precious, 'none'), none);
  await expect(labDown(paths.root)).rejects.toThrow(/mnt\/none' must be \d+:\d+ \(device:inode\)/);
  renameSync(none, join(precious, 'none'));
  await expect(labDown(paths.root)).rejects.toThrow(`'${join(paths.mounts, 'moved')}' is not what this lab made`);
  isThere();
  renameSync(join(paths.mounts, 'moved'), join(paths.root, 'moved'));
  await labDown(paths.root);
  expect(existsSync(paths.mounts)).toBe(false);
  expect(existsSync(join(paths.lab, 'folders.json'))).toBe(false);
});

test('data of its own storages go with the lab', async () => {
  await up();
  mkdirSync(join(paths.mounts, 'none', 'fsxbench'));
  writeFileSync(join(paths.mounts, 'none', 'fsxbench', 'data'), 'x');
  await labDown(paths.root);
  expect(existsSync(paths.mounts)).toBe(false);
});

test.each(['mnt', 'stand-ins', 'models', 'slurm'])(
  'a lab neither uses nor removes a %s that it did not make',
  async (name) => {
    mkdirSync(paths.lab);
    symlinkSync(precious, join(paths.lab, name));
    expect(() => makeFolder(paths, join(paths.lab, name, 'none'))).toThrow(
      new RegExp(`^the lab cannot make '.*': .*${name}' is a link.*move it away`),
    );
    await expect(labDown(paths.root)).rejects.toThrow(/is not what this lab made/);
    isThere();
  },
);

test('a folder that holds something is not taken for one of the lab', async () => {
  mkdirSync(paths.lab);
  renameSync(precious, paths.mounts);
  expect(() => makeFolder(paths, join(paths.mounts, 'none'))).toThrow(/ENOTEMPTY.*move it away/);
  await expect(labDown(paths.root)).rejects.toThrow(/is not what this lab made/);
  expect(readdirSync(join(paths.mounts, 'none'))).toEqual(['data']);
});

test('an empty folder of a start that was killed before it recorded it is taken over, and goes', async () => {
  mkdirSync(join(paths.mounts, 'none'), { recursive: true });
  await labDown(paths.root);
  expect(existsSync(paths.mounts)).toBe(false);
  mkdirSync(join(paths.mounts, 'none'), { recursive: true });
  makeFolder(paths, join(paths.mounts, 'none'));
  expect(foldersIn(paths, paths.mounts)).toEqual(['none']);
});

test('a damaged record removes nothing', async () => {
  await up();
  writeFileSync(join(paths.mounts, 'none', 'data'), 'x');
  writeFileSync(join(paths.lab, 'folders.json'), '{');
  await expect(labDown(paths.root)).rejects.toThrow(/is not what this lab made/);
  expect(readdirSync(join(paths.mounts, 'none'))).toEqual(['data']);
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;
asRoot('what somebody mounted in a folder of the lab stays', async () => {
  const folder = join(paths.substitutes, 'none');
  makeFolder(paths, folder);
  mkdirSync(join(folder, 'theirs'));
  execFileSync('mount', ['--bind', precious, join(folder, 'theirs')]);
  expect(await removeFolder(paths, folder)).toEqual([
    expect.stringContaining(`'${join(folder, 'theirs')}' is a mount`),
  ]);
  isThere();
  // Down takes mounts away before it removes anything.
  await labDown(paths.root);
  isThere();
  expect(existsSync(paths.substitutes)).toBe(false);
});
