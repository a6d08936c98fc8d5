import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { moosefsHere } from '../../lib/storage/moosefs';
import { until } from '../support/patience';

const ASSETS = resolve(__dirname, '../../assets');
const STAND_IN = moosefsHere(1);
const PROGRAM = join(ASSETS, STAND_IN.program?.path ?? '');
const MIB = 2 ** 20;
/** Small, and made and filled in seconds; the reserve and the file system's overhead leave about 200 MiB on each chunkserver. */
const BYTES = 640 * MIB;
const FILLER = 'filler';

const said = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string => {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 120_000,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr.trim()}`);
  return stdout;
};

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

  start(): void {
    mkdirSync(this.folder, { recursive: true });
    said('bash', [PROGRAM, 'up'], this.environment);
  }

  /** Leaves no byte on the disks of either chunkserver. */
  fill(): void {
    // The first in one piece; the second fills the rest in small ones.
    for (const disk of this.disks())
      for (const block of ['1M', '4k'])
        spawnSync('dd', ['if=/dev/zero', `of=${join(disk, `${FILLER}-${block}`)}`, `bs=${block}`]);
  }

  killChunkserver(): void {
    const [victim] = this.processes('').filter((pid) => commandOf(pid).includes(this.chunkserver(0)));
    if (victim === undefined) throw new Error('no chunkserver runs that could be killed');
    process.kill(victim, 'SIGKILL');
  }

  /** Empties the disks, starts the chunkserver again, and waits until the clients have room. */
  async mend(): Promise<void> {
    for (const disk of this.disks())
      for (const name of readdirSync(disk)) if (name.startsWith(FILLER)) rmSync(join(disk, name));
    this.inside('mfschunkserver', '-c', this.chunkserver(0), 'start');
    await until('room on both chunkservers', () => {
      const { bavail, bsize } = statfsSync(this.mountPoint);
      return bavail * bsize > BYTES / 2;
    });
  }

  stop(): void {
    spawnSync('umount', ['--lazy', this.mountPoint]);
    for (const end of ['', '-client']) for (const pid of this.processes(end)) process.kill(pid, 'SIGKILL');
    for (const disk of this.disks()) spawnSync('umount', ['--lazy', disk]);
    said('bash', [PROGRAM, 'down'], this.environment);
  }

  private disks(): string[] {
    return readdirSync(this.folder)
      .filter((name) => name.startsWith('chunkserver'))
      .map((name) => join(this.folder, name, 'disk'));
  }

  private chunkserver(number: number): string {
    return join(this.folder, `chunkserver${number}`, 'chunkserver.cfg');
  }

  private inside(...command: string[]): string {
    return said('nsenter', [`--net=/run/netns/${this.environment.STAND_IN_NAME}`, ...command]);
  }

  private processes(end: string): number[] {
    const { stdout } = spawnSync('ip', ['netns', 'pids', `${this.environment.STAND_IN_NAME}${end}`], {
      encoding: 'utf8',
    });
    return stdout.split('\n').filter(Boolean).map(Number);
  }
}

const commandOf = (pid: number): string => spawnSync('cat', [`/proc/${pid}/cmdline`], { encoding: 'utf8' }).stdout;
