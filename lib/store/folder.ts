import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { inside } from '../common/files';
import { notWritten, writeWhole } from '../common/writeWhole';
import type { RunStatus } from '../schema/run';
import type { Sample } from '../schema/sample';
import { readOwnSamples, SAMPLES, STATUS, statusOrNone } from './documents';

/** A run's folder. Everything is written to disk before it counts; only what writes changes it. */
export class RunFolder {
  private readonly samplesFile: string;
  private appended = false;

  constructor(readonly path: string) {
    this.samplesFile = inside(path, SAMPLES);
  }

  /** Adds samples to `samples.jsonl`, flushed to the disk. */
  append(samples: readonly Sample[]): void {
    if (samples.length > 0) this.appendLines(samples.map((sample) => `${JSON.stringify(sample)}\n`).join(''));
  }

  private appendLines(lines: string): void {
    mkdirSync(this.path, { recursive: true });
    if (!this.appended) this.dropTornLine();
    this.appended = true;
    const file = openSync(this.samplesFile, 'a');
    const before = fstatSync(file).size;
    try {
      // Not writeSync, which silently writes only a part if the disk fills up.
      writeFileSync(file, lines);
      fsyncSync(file);
    } catch (error) {
      ftruncateSync(file, before);
      throw notWritten(this.samplesFile, error);
    } finally {
      closeSync(file);
    }
  }

  /** Every complete sample. @param run leaves out those of other runs. @throws if the file cannot be read, or is another run's */
  samples(run?: string): readonly Sample[] {
    return readOwnSamples(this.path, run).samples;
  }

  writeStatus(status: RunStatus): void {
    this.write(STATUS.file, `${JSON.stringify(status, null, 2)}\n`);
  }

  /** The previous driver's last status; `null` if it is missing or damaged. */
  lastStatus(): RunStatus | null {
    return statusOrNone(this.path);
  }

  /** Writes a file atomically. @throws unless it is in the folder */
  write(name: string, content: string | Uint8Array): string {
    const path = inside(this.path, name);
    writeWhole(path, content, { durable: true });
    return path;
  }

  /** Removes a partial last line left by a killed driver, which would corrupt the next one. */
  private dropTornLine(): void {
    // A folder or a device in its place is reported when the samples are read.
    if (!statSync(this.samplesFile, { throwIfNoEntry: false })?.isFile()) return;
    const file = openSync(this.samplesFile, 'r+');
    try {
      const { size } = fstatSync(file);
      const last = Buffer.alloc(65_536);
      let end = size;
      for (let found = 0; end > 0 && found === 0; end = Math.max(0, end - last.length) + found) {
        const from = Math.max(0, end - last.length);
        found = last.subarray(0, readSync(file, last, 0, end - from, from)).lastIndexOf(0x0a) + 1;
      }
      if (end < size) ftruncateSync(file, end);
    } finally {
      closeSync(file);
    }
  }
}
