import { chownSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { labDown, labStatus, leftovers } from '../../lib/lab/down';
import { labUp } from '../../lib/lab/lab';
import { labPaths } from '../../lib/lab/paths';
import { ARMS, labProject } from './support';

let first: Awaited<ReturnType<typeof labProject>>;
let second: Awaited<ReturnType<typeof labProject>>;

beforeAll(async () => {
  [first, second] = [await labProject(), await labProject()];
  const { storages } = await labUp({ root: first.root, arms: ARMS, sizeGiB: 1 });
  for (const { arm, mountPoint } of storages) writeFileSync(join(mountPoint, 'file'), arm);
});
afterEach(() => labDown(second.root));
afterAll(async () => {
  await labDown(first.root);
  for (const { remove } of [first, second]) remove();
});

/** Everything that the first lab has: processes by number, mounts, loop devices, network namespaces, data and its state. */
async function ofFirst() {
  const { state, storages } = await labStatus(first.root);
  return {
    state,
    has: (await leftovers(labPaths(first.root))).sort(),
    data: storages.map(({ mountPoint }) => readFileSync(join(mountPoint, 'file'), 'utf8')),
    recorded: readFileSync(labPaths(first.root).stateFile, 'utf8'),
  };
}

test('status and down in a checkout without a lab touch nothing of the lab of another', async () => {
  const before = await ofFirst();
  expect(before).toMatchObject({ state: 'up', data: ['none', 'lz4'] });
  expect(before.has.length).toBeGreaterThan(0);
  expect(await labStatus(second.root)).toMatchObject({ state: 'down', storages: [], problems: [] });
  await labDown(second.root);
  expect(await ofFirst()).toEqual(before);
});

test('a second lab comes up beside the first, has nothing in common with it, and leaves it alone when it goes', async () => {
  const before = await ofFirst();
  await labUp({ root: second.root, arms: ARMS, sizeGiB: 1 });
  expect(await labStatus(second.root)).toMatchObject({ state: 'up', problems: [] });
  const own = await leftovers(labPaths(second.root));
  expect(own.filter((one) => before.has.includes(one))).toEqual([]);
  expect(await ofFirst()).toEqual(before);
  await labDown(second.root);
  expect(await leftovers(labPaths(second.root))).toEqual([]);
  expect(await ofFirst()).toEqual(before);
});

test('a checkout copied with the record of its lab does not take that lab for its own', async () => {
  const before = await ofFirst();
  const { stateFile } = labPaths(second.root);
  for (const name of ['state.json', 'folders.json'])
    cpSync(join(labPaths(first.root).lab, name), join(labPaths(second.root).lab, name));
  const refusal = `'${stateFile}' is a copy of the record of another lab, in ${labPaths(first.root).lab}: remove it`;
  for (const act of [labStatus, labDown]) await expect(act(second.root)).rejects.toThrow(refusal);
  await expect(labUp({ root: second.root, arms: ARMS })).rejects.toThrow(refusal);
  expect(await ofFirst()).toEqual(before);
  for (const name of ['state.json', 'folders.json']) rmSync(join(labPaths(second.root).lab, name));
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;
asRoot('the lab of another user is refused by the name of its record, with the next step', async () => {
  const { stateFile } = labPaths(first.root);
  const before = await ofFirst();
  chownSync(stateFile, 65_534, 65_534);
  try {
    const refusal = `'${stateFile}' belongs to a lab of user 65534, and this is user 0: stop it as that user, or use your own checkout`;
    for (const act of [labStatus, labDown]) await expect(act(first.root)).rejects.toThrow(refusal);
    await expect(labUp({ root: first.root, arms: ARMS })).rejects.toThrow(refusal);
    expect(existsSync(stateFile)).toBe(true);
  } finally {
    chownSync(stateFile, 0, 0);
  }
  expect(await ofFirst()).toEqual(before);
});
