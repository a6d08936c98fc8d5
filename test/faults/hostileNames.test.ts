import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../run/bench';
import { HOSTILE } from '../support/hostile';

const ASSETS = resolve(__dirname, '../../assets');

/** Submits a driver to a partition, by a sbatch that keeps its arguments. */
function submitTo(partition: string) {
  const folder = temporaryFolder();
  const [bin, run, said] = [join(folder, 'bin'), join(folder, 'runs', 'one'), join(folder, 'arguments')];
  for (const path of [bin, run]) mkdirSync(path, { recursive: true });
  const client = join(folder, 'client.json');
  writeFileSync(client, JSON.stringify({ launch: 'slurm', user: null, arms: {} }));
  writeFileSync(join(run, 'plan.json'), JSON.stringify({ fleet: { clients: 1 } }));
  writeFileSync(join(bin, 'sbatch'), `#!/bin/sh\nprintf '%s\\n' "$@" >'${said}'\necho 7\n`);
  chmodSync(join(bin, 'sbatch'), 0o755);
  const script = 'source "$0/lib/common.sh"; source "$0/lib/slurm.sh"; start_in_slurm "$1" s3://bucket/run true';
  const { status, stderr } = spawnSync('bash', ['-e', '-c', script, join(ASSETS, 'client'), run], {
    encoding: 'utf8',
    env: { ...process.env, FSXBENCH_PARTITION: partition, FSXBENCH_CLIENT_CONFIG: client, FSXBENCH_BIN: bin },
  });
  const words = existsSync(said) ? readFileSync(said, 'utf8').split('\n') : [];
  return { status, stderr, words, made: existsSync(join(run, 'made-by-a-name')) };
}

test.each([...HOSTILE, 'a\nb', 'two words'])(
  'a partition called %j is refused with its name, and no job is submitted',
  (name) => {
    const { status, stderr, words, made } = submitTo(name);
    expect([status, words, made]).toEqual([1, [], false]);
    expect(stderr).toContain(`'FSXBENCH_PARTITION' must be names of letters, digits, '_', '.' and '-'`);
    expect(stderr).toContain(`got '${name}'`);
  },
);

test('partitions with names that sites give them are passed on', () => {
  const { status, words } = submitTo('gpu_long.2,cpu-short');
  expect([status, words[words.indexOf('--partition') + 1]]).toEqual([0, 'gpu_long.2,cpu-short']);
});

test.each(HOSTILE.filter((name) => !name.startsWith('-')))(
  'a Slurm below a folder called %j is refused with its name, and nothing is made',
  (name) => {
    const folder = join(temporaryFolder(), name);
    const { status, stderr } = spawnSync('bash', [join(ASSETS, 'lab/slurm/cluster'), 'check'], {
      encoding: 'utf8',
      env: { ...process.env, SLURM_FOLDER: folder },
    });
    expect([status, existsSync(folder)]).toEqual([1, false]);
    expect(stderr).toContain(`got '${folder}'; check the project out elsewhere`);
  },
);
