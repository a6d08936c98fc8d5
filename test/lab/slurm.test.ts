import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { compressionBench } from '../../lib/benchmark/compression';
import { makePlan } from '../../lib/plan/plan';
import { runSession } from '../../lib/run/driver/session';
import { LOCAL_FLEET } from '../../lib/run/manifest';
import { SsmRunner } from '../../lib/run/runner';
import { sha256 } from '../../lib/run/started';
import type { ClientConfig } from '../../lib/schema/client';
import type { Plan } from '../../lib/schema/plan';
import type { RunStatus } from '../../lib/schema/run';
import type { Sample } from '../../lib/schema/sample';
import { S3Store } from '../../lib/store/bucket';
import { inAll } from '../support/drawn';
import { labForTests, PROJECT, type TestLab } from './support';

const NODES = 2;
let lab: () => TestLab;
const BUCKET = 'results-of-slurm';

/** Environment in which programs find the lab's Slurm. */
const environment = (): NodeJS.ProcessEnv => {
  const { paths, environment: emulator } = lab().lab;
  return {
    ...process.env,
    ...emulator,
    SLURM_CONF: join(paths.slurm, 'slurm.conf'),
    OMPI_MCA_mpi_yield_when_idle: '1',

    FSXBENCH_HOME: paths.clientHome,
    FSXBENCH_STATE: paths.clientState,
    FSXBENCH_CLIENT_CONFIG: paths.clientConfig,
    FSXBENCH_BIN: paths.tools,
    FSXBENCH_LAB: paths.lab,
    PATH: `${join(PROJECT, '.lab/tools/bin')}:${process.env.PATH}:/usr/sbin`,
  };
};
const slurm = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { env: environment(), encoding: 'utf8' });

/** IOR if the lab has it, which runs as one MPI job over all nodes; else fio, one on each. */
const toolOf = ({ tools }: ClientConfig): string => (tools.ior === undefined ? 'fio' : 'ior');

function planOf(clients: number, set: readonly string[]): Plan {
  const arms = ['none', 'lz4'].map((name) => ({ name, description: name }));
  return makePlan({
    benchmark: compressionBench,
    plan: 'paired',
    scale: 'lab',
    arms,
    hourlyUsd: 0,
    fleet: { clients, instanceType: null, ranksPerClient: 2 },
    set: [`tool=${toolOf(lab().lab.client)}`, 'compressibilities=1', 'warmUpSeconds=0', 'maxMiBPerArm=64', ...set],
    environment: { lab: true },
  });
}

/** Files of a run that the driver needs, as the command line puts it into the bucket. */
async function start(run: string, plan: Plan): Promise<() => Promise<RunStatus | null>> {
  const { paths } = lab().lab;
  await new S3Client({ forcePathStyle: true }).send(new CreateBucketCommand({ Bucket: BUCKET }));
  const files = {
    'plan.json': JSON.stringify(plan),
    'manifest.json': JSON.stringify(manifestOf(run)),
    'driver.js': readFileSync(join(PROJECT, 'dist/driver.js'), 'utf8'),
  };
  const store = new S3Store(BUCKET);
  for (const [name, text] of Object.entries(files)) await store.put(`runs/CompressionBench/${run}/${name}`, text);
  const sums = Object.values(files).map((text) => sha256(text));
  const started = spawnSync(
    join(paths.clientHome, 'bin/start-run'),
    ['CompressionBench', run, BUCKET, sums.join(' ')],
    { env: environment(), encoding: 'utf8' },
  );
  expect(started.stderr).toMatch(/started the driver of .* \(job \d+\)/);
  return () => new SsmRunner(BUCKET, 'document', 'i-0').status({ benchmark: 'CompressionBench', run });
}

const manifestOf = (run: string): object => ({
  schema: 'fsxbench.manifest/1',
  run,
  benchmark: 'CompressionBench',
  lab: true,
  stack: null,
  region: null,
  arms: [],
  fleet: LOCAL_FLEET,
  tools: {},
  notices: [],
});

/** Waits for a status, with every message on the way. */
async function until(
  status: () => Promise<RunStatus | null>,
  folder: string,
  holds: (now: RunStatus) => boolean,
): Promise<string[]> {
  const said: string[] = [];
  for (;;) {
    const now = await status();
    if (now !== null && said.at(-1) !== now.message) said.push(now.message);
    if (now !== null && holds(now)) return said;
    if (now?.state === 'failed') throw new Error(`${said.join('\n')}\n${reasonsIn(folder)}`);
    await sleep(100);
  }
}

const samplesIn = (folder: string): Sample[] => {
  const file = join(folder, 'samples.jsonl');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => JSON.parse(line) as Sample);
};

/** Why steps of a run have no value. */
const reasonsIn = (folder: string): string =>
  samplesIn(folder)
    .flatMap(({ step, reason }) => (reason === undefined ? [] : [`${step}: ${reason}`]))
    .join('\n');

const isValue = ({ phase, source, value }: Sample): boolean =>
  phase === 'measure' && source === 'client' && value !== null;

/** Its daemons share a machine as root only. */
const canSlurm = process.getuid?.() === 0 && ['slurmctld', 'munged'].every((name) => existsSync(`/usr/sbin/${name}`));

(canSlurm ? describe : describe.skip)('a real Slurm', () => {
  lab = labForTests([], { slurm: { nodes: NODES, processors: 2 } });

  test('a job that is put back into the queue in the middle of a run goes on there, and loses no sample', async () => {
    const folder = join(lab().lab.paths.clientState, 'runs', 'requeued');
    const plan = planOf(NODES, ['repeats=2', 'seconds=1', 'reads=false']);
    const status = await start('requeued', plan);
    await until(status, folder, () => samplesIn(folder).some(isValue));
    const job = readFileSync(join(folder, 'driver.job'), 'utf8').trim();
    slurm('scontrol', 'requeue', job);
    const before = samplesIn(folder);
    const said = await until(status, folder, ({ state }) => state === 'done');

    expect(said.join('\n')).toMatch(new RegExp(`job ${job} .*put back into the queue 1 time`));
    const after = samplesIn(folder);
    expect(after.slice(0, before.length)).toEqual(before);
    const measured = plan.steps.filter(({ phase }) => phase === 'measure').map(({ id }) => id);
    const last = (step: string) => after.filter((sample) => sample.step === step && isValue(sample)).at(-1);
    expect(measured.map((id) => [id, last(id)?.value])).toEqual(measured.map((id) => [id, expect.any(Number)]));
    // Each value is of both nodes, by a tool that counted them itself where it is one job.
    expect(new Set(after.filter(isValue).map(({ clients }) => clients))).toEqual(new Set([NODES]));
    if (toolOf(lab().lab.client) === 'ior')
      expect(new Set(after.filter(isValue).map(({ nodes, ranks }) => `${nodes} × ${ranks}`))).toEqual(
        new Set(['2 × 4']),
      );
    expect(JSON.parse(readFileSync(join(folder, 'status.json'), 'utf8')).sessions).toHaveLength(2);
  });

  inAll(test)('one plan gives the same measurements by both launchers of the lab', async () => {
    const plan = planOf(1, ['repeats=1', 'seconds=1']);
    const status = await start('by-slurm', plan);
    const folder = join(lab().lab.paths.clientState, 'runs', 'by-slurm');
    await until(status, folder, ({ state }) => state === 'done');
    const local = join(lab().root, 'by-this-machine');
    mkdirSync(local);
    writeFileSync(join(local, 'plan.json'), JSON.stringify(plan));
    writeFileSync(join(local, 'manifest.json'), JSON.stringify(manifestOf('by-this-machine')));
    const before = { ...process.env };
    Object.assign(process.env, environment());
    const client: ClientConfig = { ...lab().lab.client, launch: 'local' };
    const { status: ended } = await runSession({ folder: local, client, abort: new AbortController().signal });
    process.env = before;
    expect(ended).toMatchObject({ state: 'done', failedSteps: [] });

    const keysOf = (folder: string): string[] =>
      samplesIn(folder)
        .filter(({ source }) => source === 'client')
        .map(({ step, arm, operation, metric, unit, clients, ranks, nodes, value }) =>
          [step, arm, operation, metric, unit, clients, ranks, nodes, value === null].join(' '),
        )
        .sort();
    const bySlurm = keysOf(join(lab().lab.paths.clientState, 'runs', 'by-slurm'));
    expect(bySlurm).toEqual(keysOf(local));
    expect(bySlurm.filter((key) => key.includes('throughput')).length).toBeGreaterThanOrEqual(4);
  });
});
