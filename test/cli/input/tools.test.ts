import * as childProcess from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressionBench } from '../../../lib/benchmark/compression';
import { metadataBench } from '../../../lib/benchmark/metadata';
import { chosenArms } from '../../../lib/cli/input/labRequest';
import { missingTools, otherTool, toolSettings } from '../../../lib/cli/start/tools';
import { planNamed } from '../../../lib/plan/plan';
import { toolVersions } from '../../../lib/run/clients/tools';
import type { Workload } from '../../../lib/workload/workload';
import { temporaryFolder } from '../../run/bench';

const data = planNamed(compressionBench, 'paired');
const files = planNamed(metadataBench, 'paired');
const published = planNamed(metadataBench, 'published');
const all = { ior: '3.3.0', mdtest: '3.3.0', openmpi: '4.1.4', fio: '3.33' };

describe('what a machine can measure data with', () => {
  test.each([
    ['IOR of a known version', all, ['iorVersion=3.3.0']],
    ['an IOR whose patterns are not known', { ...all, ior: '3.2.1' }, ['tool=fio']],
    ['IOR without mpirun', { ior: '3.3.0', fio: '3.33' }, ['tool=fio']],
  ])('%s', (_, tools, settings) => {
    expect(toolSettings(tools, data, 'paired')).toEqual(settings);
  });
});

describe('what a machine can measure metadata with', () => {
  test.each([
    ['mdtest of a known version', all, ['iorVersion=3.3.0']],
    ['mdtest 4.0.0', { ...all, mdtest: '4.0.0' }, ['iorVersion=4.0.0']],
    ['an mdtest that is too old', { ...all, mdtest: '1.9.3' }, ['tool=fio', 'fileBytes=0']],
    ['IOR without mdtest', { ior: '3.3.0', openmpi: '4.1.4', fio: '3.33' }, ['tool=fio', 'fileBytes=0']],
    ['mdtest without mpirun', { mdtest: '3.3.0', fio: '3.33' }, ['tool=fio', 'fileBytes=0']],
  ])('%s', (_, tools, settings) => {
    expect(toolSettings(tools, files, 'paired')).toEqual(settings);
  });

  test('fio cannot stand in for the study’s own command', () => {
    expect(() => toolSettings({ fio: '3.33' }, published, 'paired')).toThrow(
      'the published plan needs mdtest 3.3.0 or 4.0.0 and mpirun, found no mdtest: use --plan paired',
    );
  });

  test('nothing at all is said with what to install', () => {
    expect(() => toolSettings({}, files, 'paired')).toThrow(
      'neither mdtest with mpirun nor fio is installed: install fio (npx fsxbench doctor says how)',
    );
  });

  test('a tool without ranks, whose substitute nobody looks for, is named alone', () => {
    const fio = files.tools?.substitutes[0] as Workload;
    const plan = { ...files, tools: { preferred: fio, substitutes: [{ ...fio, installed: undefined }] } };
    expect(() => toolSettings({}, plan, 'paired')).toThrow(
      /^fio is not installed: install it \(npx fsxbench doctor says how\)$/,
    );
  });
});

describe('tools to get before measuring', () => {
  test.each([
    ['nothing where the preferred tool is there', all, [], []],
    ['the preferred tool, where another takes its place', { openmpi: '4.1.4', fio: '3.33' }, [], ['ior']],
    ['its launcher', { ior: '3.3.0', fio: '3.33' }, [], ['openmpi']],
    ['any that would do, where none is there', {}, [], ['ior', 'openmpi', 'fio']],
    ['nothing where the user has chosen', {}, ['tool=fio'], []],
  ])('%s', (_, tools, set, missing) => {
    expect(missingTools(tools, data, set)).toEqual(missing);
  });
});

describe('why another tool measures', () => {
  test.each([
    ['nothing', all, [], null],
    ['IOR that is not there', { fio: '3.33' }, [], 'using fio in place of IOR, which is not installed'],
    ['no mpirun', { ior: '3.3.0', fio: '3.33' }, [], 'using fio in place of IOR 3.3.0, since mpirun is not installed'],
    [
      'IOR of another release',
      { ...all, ior: '3.2.1' },
      [],
      'using fio in place of IOR 3.2.1: plans support 3.3.0 and 4.0.0 only',
    ],
    ['a choice of the user', { fio: '3.33' }, ['tool=fio'], null],
  ])('%s', (_, tools, set, why) => {
    expect(otherTool(tools, data, set)).toBe(why);
  });
});

test('a program of the user’s asks for no tool, and is measured by none but its own', () => {
  const plan = planNamed(compressionBench, 'command');
  expect([toolSettings({}, plan, 'paired'), otherTool({ fio: '3.33' }, plan, [])]).toEqual([[], null]);
});

test('a tool that does not answer within its time is no absent tool, but an error; it has more than ten seconds', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'ior'), '#!/bin/sh\nexec /bin/sleep 600\n', { mode: 0o755 });
  // The folder has nothing else: no other tool can be slow.
  await expect(toolVersions({ PATH: folder }, 1)).rejects.toThrow(
    /'ior' must name its version within 1 s .*got no answer: wait until/,
  );
  const started = jest.spyOn(childProcess, 'execFile');
  await toolVersions({ PATH: temporaryFolder() });
  const times = started.mock.calls.map(([, , options]) => (options as { timeout: number }).timeout);
  expect(Math.min(...times)).toBeGreaterThan(10_000);
});

test.each<[readonly string[] | undefined, readonly string[] | string]>([
  [undefined, ['p250-3000', 'p250-6000', 'p250-12000']],
  [
    ['p250-12000', 'p250-3000'],
    ['p250-12000', 'p250-3000'],
  ],
  [
    ['p250-none', 'p1000-none'],
    ['p250-none', 'p1000-none'],
  ],
  [['p250-3000', 'p250-3000'], "each once, got 'p250-3000 p250-3000'"],
  [['p250-3000', 'p250-none'], "got 'p250-3000 p250-none'"],
  [['p250-300'], "got 'p250-300'"],
  [[], "got ''"],
])('arms %j of the lab of MetadataBench', (arms, chosen) => {
  if (typeof chosen === 'string') expect(() => chosenArms(metadataBench, arms)).toThrow(chosen);
  else expect(chosenArms(metadataBench, arms)).toEqual(chosen);
});
