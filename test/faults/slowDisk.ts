import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { mountsBelow } from '../../lib/common/mounts';
import { until } from '../support/patience';

const PROGRAM = join(__dirname, 'slow-disk.py');

/** A file system in the place of a folder, on which each write and each fsync takes a while. */
export class SlowDisk {
  private readonly server: ChildProcess;

  /** @param behind holds its files */
  constructor(
    behind: string,
    private readonly mountPoint: string,
    milliseconds: number,
  ) {
    mkdirSync(behind);
    this.server = spawn('python3', [PROGRAM, behind, mountPoint, String(milliseconds)], { stdio: 'ignore' });
  }

  /** True where this computer can have one. */
  static possible(): boolean {
    const loads = ['-c', 'import ctypes; ctypes.CDLL("libfuse3.so.3")'];
    return process.getuid?.() === 0 && existsSync('/dev/fuse') && spawnSync('python3', loads).status === 0;
  }

  async ready(): Promise<void> {
    await until('the slow file system', () => mountsBelow(this.mountPoint).length > 0);
  }

  /** Its server ends with the mount. */
  end(): void {
    spawnSync('umount', ['--lazy', this.mountPoint]);
    this.server.kill();
  }
}
