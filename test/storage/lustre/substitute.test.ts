import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capacityFromLfsDf } from '../../../lib/storage/common/lustre';
import { type LustreState, LustreSubstitute } from '../../support/lustre/substitute';

const RECORDED = join(__dirname, '../../fixtures/lustre');

let folder: string;
let lustre: LustreSubstitute;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fsxbench-lustre-'));
  lustre = new LustreSubstitute(join(folder, 'state'));
});

const run = (...words: string[]) => {
  const [program = '', ...rest] = words;
  const { status, stdout, stderr } = spawnSync(program, rest, {
    encoding: 'utf8',
    env: { ...process.env, ...lustre.environment },
    timeout: 2000,
  });
  return { status, stdout, stderr };
};

const TARGETS = ['lz4-OST0000', 'lz4-OST0001', 'lz4-MDT0000', 'lz4-MDT0001', 'other-OST0004'];
const LEFT_OUT = 'lfs df leaves out lz4-OST0001: see lfs check servers';

test.each<[LustreState, number | null, number | null, string | undefined]>([
  ['healthy', 0, 21_293_432_832, undefined],
  ['inactive', 0, null, LEFT_OUT],
  ['full', 0, 21_293_432_832, undefined],
  ['deactivated', 108, null, LEFT_OUT],
  ['evicted', 0, 21_293_432_832, undefined],
  ['hung', null, null, LEFT_OUT],
])('lfs df of a file system with a target that is %s has its size, or none', (state, status, size, reason) => {
  lustre.state = state;
  const found = run('lfs', 'df', '/mnt/lz4');
  expect(found.status).toBe(status);
  const [total, used, free] = capacityFromLfsDf(found.stdout, TARGETS);
  expect([total?.value, total?.reason]).toEqual([size, reason]);
  expect([used?.value === null, free?.value === null]).toEqual([size === null, size === null]);
});

test('a target that lfs df names without numbers is left out, also if lctl says nothing', () => {
  lustre.state = 'deactivated';
  expect(capacityFromLfsDf(run('lfs', 'df').stdout)[0]).toMatchObject({ value: null, reason: LEFT_OUT });
});

test('prints what was recorded, byte by byte', () => {
  const text = (name: string) => readFileSync(join(RECORDED, `${name}.out`), 'utf8');
  lustre.state = 'inactive';
  expect(run('lfs', 'df').stdout).toBe(text('lfs-df-target-left-out'));
  const check = run('lfs', 'check', 'servers');
  expect([check.status, check.stdout + check.stderr]).toEqual([0, text('lfs-check-servers-inactive')]);
  lustre.state = 'deactivated';
  expect(run('lfs', 'df').stdout).toBe(text('lfs-df-target-inactive'));
});

test('a migration with --copy keeps the layout, and one with words of its own does not', () => {
  const file = join(folder, 'file');
  writeFileSync(file, Buffer.alloc(65_536));
  lustre.layout(file, [['EOF', 2, 262_144, 'raid0', '0,1']]);
  const before = run('lfs', 'getstripe', file).stdout;
  expect(before).toContain('lmm_stripe_count:  2\nlmm_stripe_size:   262144');
  run('lfs', 'migrate', '-n', `--copy=${file}`, file);
  expect(run('lfs', 'getstripe', file).stdout).toBe(before);
  run('lfs', 'migrate', '-n', ...'-E 100M -c 1 -E 10G -c 8 -E -1 -c 32'.split(' '), file);
  expect(run('lfs', 'getstripe', file).stdout.match(/e_end: .*/g)).toEqual([
    'e_end:   104857600',
    'e_end:   10737418240',
    'e_end:   EOF',
  ]);
});

test('imports say which target is deactivated, away, or evicted this client', () => {
  const state = () => run('lctl', 'get_param', 'osc.*OST0001*.import', 'osc.*OST0001*.state').stdout;
  expect(state()).toMatch(/state: FULL[\s\S]*current_state: FULL/);
  lustre.state = 'deactivated';
  expect(state()).toContain('connect_tried, deactivated ]');
  lustre.state = 'hung';
  expect(state()).toContain('state: DISCONN');
  lustre.state = 'evicted';
  expect(state()).toMatch(/EVICTED ][\s\S]*FULL ]/);
});
