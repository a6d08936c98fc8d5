import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { summarise } from '../../lib/analysis/summary';
import { mountedAt } from '../../lib/run/clients/directory';
import type { Issue } from '../../lib/schema/issue';
import type { Plan } from '../../lib/schema/plan';
import type { Manifest } from '../../lib/schema/run';
import type { Sample } from '../../lib/schema/sample';
import { statusOrNone } from '../../lib/store/documents';
import { readRun } from '../../lib/store/readRun';
import { localClients, temporaryFolder } from '../run/bench';
import { until } from '../support/patience';
import { SECRET } from './emulatedS3';
import { MooseFs } from './moosefs';
import { type By, planOf } from './plan';
import { type Backend, MoodyS3 } from './s3';
import { SlowDisk } from './slowDisk';

const ROOT = resolve(__dirname, '../..');
const RUN = '20261122T120000Z-paired-abcd';
const PREFIX = `runs/CompressionBench/${RUN}`;
const manifest: Manifest = {
  schema: 'fsxbench.manifest/1',
  run: RUN,
  benchmark: 'CompressionBench',
  lab: true,
  stack: null,
  region: null,
  account: null,
  arms: [],
  fleet: { autoScalingGroup: null, instanceType: null, image: null, clients: [], hourlyUsd: null },
  bucket: 'results',
  metricsPeriodSeconds: 5,
  tools: {},
  notices: [],
};

/** A run on this computer, with a driver process, real tools, directories as arms, and a store that can fail in any way. */
export class World {
  readonly root = temporaryFolder();
  readonly folder = join(this.root, 'results');
  readonly mounts = join(this.root, 'mnt');
  readonly temporary = join(this.root, 'tmp');
  readonly clock = join(this.root, 'clock');
  /** While this file exists, caches are being dropped. */
  readonly heldCaches = join(this.root, 'held-caches');
  /** The client's boot id from now on, once it is written. */
  readonly boot = join(this.root, 'boot');
  readonly store: MoodyS3;
  readonly plan: Plan;
  private readonly mounted: string[] = [];
  private moose: MooseFs | null = null;
  private prefix: readonly string[] = [];
  private slow: SlowDisk | null = null;
  private driver: ChildProcess | null = null;

  constructor(by: By = 'fio', objects?: Backend) {
    this.store = new MoodyS3(objects);
    this.plan = planOf(by);
    for (const path of [this.folder, this.temporary, join(this.mounts, 'none'), join(this.mounts, 'lz4')])
      mkdirSync(path, { recursive: true });
  }

  /** A small disk in the place of a folder: what fills up, or becomes read-only, is that alone. */
  ownDisk(path: string, size: string): void {
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'fsxbench-faults', path], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`cannot mount a disk for the test: ${stderr}`);
    this.mounted.push(path);
  }

  /** A disk for the results on which each write and each fsync takes so long. */
  slowResults(milliseconds: number): void {
    this.slow = new SlowDisk(join(this.root, 'behind'), this.folder, milliseconds);
  }

  /** A MooseFS with separate servers instead of the arm `none`. */
  get moosefs(): MooseFs {
    this.moose ??= new MooseFs(join(this.root, 'moosefs'), join(this.mounts, 'none'));
    return this.moose;
  }

  /** From now on, drivers obey the modes of files, as those of any user but root do. */
  obeyModes(): void {
    if (process.getuid?.() === 0) this.prefix = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
  }

  /** The folder of the only data on an arm. */
  dataOn(arm: string): string {
    return join(this.mounts, arm, 'fsxbench', RUN, 'r1-c1');
  }

  async begin(): Promise<void> {
    await this.slow?.ready();
    writeFileSync(join(this.folder, 'plan.json'), JSON.stringify(this.plan));
    writeFileSync(join(this.folder, 'manifest.json'), JSON.stringify(manifest));
    const { config } = localClients(this.mounts);
    const filesystem = this.moose === null ? {} : { filesystem: MooseFs.filesystem };
    const arms = Object.entries(config.arms).map(([name, arm]) => [
      name,
      { ...arm, ...(name === 'none' ? filesystem : {}), ...mountedAt(arm.mountPoint) },
    ]);
    writeFileSync(
      join(this.root, 'client.json'),
      JSON.stringify({
        ...config,
        arms: Object.fromEntries(arms),
        home: this.home(),
        tools: { fio: '3.33', command: '1' },
      }),
    );
    await this.store.start();
    this.drive();
  }

  /** The client's programs, but for the one that would empty the caches of the whole machine; its boot id may be {@link boot}. */
  private home(): string {
    const bin = join(this.root, 'client', 'bin');
    const real = join(ROOT, 'assets/client');
    mkdirSync(bin, { recursive: true });
    symlinkSync(join(real, 'lib'), join(this.root, 'client', 'lib'));
    const own: Record<string, string> = {
      'drop-caches': `sleep 0.3; while [ -e '${this.heldCaches}' ]; do sleep 0.05; done`,
      'client-load': `'${real}/bin/client-load' "$@" | sed "s/\\"bootId\\":\\"[^\\"]*/\\"bootId\\":\\"$(cat '${this.boot}' || echo own)/"`,
    };
    for (const name of readdirSync(join(real, 'bin')).filter((each) => !(each in own)))
      symlinkSync(join(real, 'bin', name), join(bin, name));
    for (const [name, script] of Object.entries(own))
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return join(this.root, 'client');
  }

  /** Starts a driver that continues the run. */
  drive(): void {
    this.driver = this.start();
  }

  /** Starts a second driver on the same run, and waits for its end. */
  async second(): Promise<void> {
    const child = this.start();
    await new Promise((ok) => child.once('close', ok));
  }

  private start(): ChildProcess {
    const argv = ['--require', join(__dirname, 'settable-clock.cjs'), join(ROOT, 'dist/driver.js')];
    const own = ['--run', this.folder, '--bucket', 'results', '--prefix', PREFIX];
    const [program = '', ...words] = [...this.prefix, process.execPath, ...argv, ...own];
    const child = spawn(program, words, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        AWS_ENDPOINT_URL: this.store.endpoint,
        AWS_REGION: 'us-east-1',
        AWS_EC2_METADATA_DISABLED: 'true',
        AWS_ACCESS_KEY_ID: SECRET,
        AWS_SECRET_ACCESS_KEY: 'test',
        TMPDIR: this.temporary,
        FSXBENCH_CLIENT_CONFIG: join(this.root, 'client.json'),
        FSXBENCH_TEST_CLOCK: this.clock,
      },
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.log += chunk.toString('utf8');
    });
    return child;
  }

  /** Output of all drivers. */
  log = '';

  signal(signal: NodeJS.Signals): void {
    this.driver?.kill(signal);
  }

  /** The number of a running process of this run that has such a name. */
  process(name: string): number | null {
    const mark = `FSXBENCH_RUN_FOLDER=${this.folder}`;
    for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      try {
        if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== name) continue;
        if (readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)) return Number(pid);
      } catch {
        // It has ended.
      }
    }
    return null;
  }

  /** Waits for a process of the run in a step whose name has this in it. */
  async running(name: string, step = ''): Promise<number> {
    return until(`${name} in ${step}`, () => {
      this.mustLive();
      return (this.status()?.step?.includes(step) && this.process(name)) || undefined;
    });
  }

  /** Waits until a step of a phase runs whose name has this in it. */
  async inPhase(phase: string, step = ''): Promise<void> {
    await until(`phase ${phase}`, () => {
      this.mustLive();
      const status = this.status();
      return status?.state === 'running' && status.phase === phase && status.step?.includes(step);
    });
  }

  /** Waits until so many steps are done. */
  async stepsDone(count: number): Promise<void> {
    await until(`${count} steps`, () => {
      this.mustLive();
      const status = this.status();
      return status?.state === 'running' && status.stepsDone >= count;
    });
  }

  private mustLive(): void {
    if (this.driver?.exitCode !== null) throw new Error(`the driver has ended already: ${this.log}`);
  }

  status() {
    return statusOrNone(this.folder);
  }

  /** Waits for the end of the driver. @returns its exit status, `null` where a signal ended it */
  async ended(): Promise<number | null> {
    const { driver } = this;
    if (driver === null) return null;
    if (driver.exitCode === null && driver.signalCode === null) await new Promise((ok) => driver.once('exit', ok));
    return driver.exitCode;
  }

  /** Resumes the run until its driver says that it is done, three times at most. */
  async finish(): Promise<void> {
    for (let session = 0; session < 3; session++) {
      await this.ended();
      if (this.driver?.exitCode === 0) return;
      this.drive();
    }
    if ((await this.ended()) !== 0) throw new Error(`the run did not come to its end: ${this.log.slice(-2000)}`);
  }

  lines(): string[] {
    const file = join(this.folder, 'samples.jsonl');
    if (!existsSync(file)) return [];
    // The text after the last line end is not yet a sample.
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  }

  /** Measurements of the plan without a value in the end. */
  missing(): string[] {
    return this.measurementsWithout(({ value }) => value !== null);
  }

  /** Measurements that have neither a value nor a reason for having none. */
  unexplained(): string[] {
    return this.measurementsWithout(({ value, reason }) => value !== null || Boolean(reason));
  }

  private measurementsWithout(suffices: (sample: Sample) => boolean): string[] {
    const samples = this.lines().map((line) => JSON.parse(line) as Sample);
    return this.plan.steps.flatMap(({ id, tasks }) =>
      tasks
        .filter(({ action }) => action.kind === 'workload')
        .filter(
          ({ arm }) =>
            !samples.some((one) => one.step === id && one.arm === arm && one.source === 'client' && suffices(one)),
        )
        .map(({ arm }) => `${id} ${arm}`),
    );
  }

  /** True if the store has the samples as they are here. */
  async stored(): Promise<boolean> {
    return (await this.store.object(`${PREFIX}/samples.jsonl`)) === `${this.lines().join('\n')}\n`;
  }

  async issues(): Promise<readonly Issue[]> {
    return summarise(await readRun(this.folder)).issues;
  }

  async end(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended();
    spawnSync(join(ROOT, 'assets/client/bin/end-leftovers'), [this.folder]);
    await this.store.end();
    await this.moose?.stop();
    this.slow?.end();
    for (const path of this.mounted) spawnSync('umount', ['--lazy', path]);
    rmSync(this.root, { recursive: true, force: true });
  }
}
