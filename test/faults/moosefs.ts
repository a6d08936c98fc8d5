import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { moosefsHere } from '../../lib/storage/moosefs';
import { until } from '../support/patience';

const ASSETS = resolve(__dirname, '../../assets');
const STAND_IN = moosefsHere(1);
const PROGRAM = join(ASSETS, STAND_IN.program?.path ?? '');
const MIB = 2 ** 20;
/** Small, and made and filled in seconds; the reserve and the file system's overhead leave about 200 MiB on each chunkserver. */
const BYTES = 640 * MIB;
const FILLER = 'filler';

/** What a program prints, without blocking this process: it answers the drivers of other faults meanwhile. @throws if the program fails */
const said = async (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> =>
  (await promisify(execFile)(program, args, { env: { ...process.env, ...env }, timeout: 120_000 })).stdout;

/** The lab's MooseFS as an arm: a master and two chunkservers with separate disks, which can be filled and killed. */
export class MooseFs {
  private readonly environment: Readonly<Record<string, string>>;

  constructor(
    private readonly folder: string,
    private readonly mountPoint: string,
  ) {
    this.environment = {
      ...STAND_IN.program?.variables,
      STAND_IN_NAME: `fsxbench-faults-${process.pid}`,
      STAND_IN_FOLDER: folder,
      STAND_IN_MOUNT: mountPoint,
      STAND_IN_BYTES: String(BYTES),
    };
  }

  /** Name by which the driver works on it. */
  static readonly filesystem = STAND_IN.filesystem;

  /** Why this computer cannot have one, or `null`. */
  static obstacle(): string | null {
    const { status, stderr } = spawnSync('bash', [PROGRAM, 'check'], {
      encoding: 'utf8',
      env: { ...process.env, STAND_IN_NAME: `fsxbench-faults-${process.pid}` },
    });
    return status === 0 ? null : stderr.trim();
  }

  async start(): Promise<void> {
    mkdirSync(this.folder, { recursive: true });
    await said('bash', [PROGRAM, 'up'], this.environment);
  }

  /** Leaves no byte on the disks of either chunkserver. */
  async fill(): Promise<void> {
    // The first in one piece; the second fills the rest in small ones. Each fails, since the disk is full in the end.
    for (const disk of this.disks())
      for (const block of ['1M', '4k'])
        await said('dd', ['if=/dev/zero', `of=${join(disk, `${FILLER}-${block}`)}`, `bs=${block}`]).catch(() => {});
  }

  async killChunkserver(): Promise<void> {
    const [victim] = (await this.processes('')).filter((pid) => commandOf(pid).includes(this.chunkserver(0)));
    if (victim === undefined) throw new Error('no chunkserver runs that could be killed');
    process.kill(victim, 'SIGKILL');
  }

  /** Empties the disks, starts the chunkserver again, and waits until the clients have room. */
  async mend(): Promise<void> {
    for (const disk of this.disks())
      for (const name of readdirSync(disk)) if (name.startsWith(FILLER)) rmSync(join(disk, name));
    await this.inside('mfschunkserver', '-c', this.chunkserver(0), 'start');
    await until('room on both chunkservers', () => {
      const { bavail, bsize } = statfsSync(this.mountPoint);
      return bavail * bsize > BYTES / 2;
    });
  }

  async stop(): Promise<void> {
    const unmount = (path: string) => said('umount', ['--lazy', path]).catch(() => {});
    await unmount(this.mountPoint);
    for (const end of ['', '-client']) for (const pid of await this.processes(end)) process.kill(pid, 'SIGKILL');
    for (const disk of this.disks()) await unmount(disk);
    await said('bash', [PROGRAM, 'down'], this.environment);
  }

  private disks(): string[] {
    return readdirSync(this.folder)
      .filter((name) => name.startsWith('chunkserver'))
      .map((name) => join(this.folder, name, 'disk'));
  }

  private chunkserver(number: number): string {
    return join(this.folder, `chunkserver${number}`, 'chunkserver.cfg');
  }

  private inside(...command: string[]): Promise<string> {
    return said('nsenter', [`--net=/run/netns/${this.environment.STAND_IN_NAME}`, ...command]);
  }

  private async processes(end: string): Promise<number[]> {
    const printed = await said('ip', ['netns', 'pids', `${this.environment.STAND_IN_NAME}${end}`]).catch(() => '');
    return printed.split('\n').filter(Boolean).map(Number);
  }
}

const commandOf = (pid: number): string => spawnSync('cat', [`/proc/${pid}/cmdline`], { encoding: 'utf8' }).stdout;
