import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunStatus } from '../model/run';
import type { Sample } from '../model/sample';

/** A run's folder on the machine that drives it. Everything is on disk before it counts. */
export class RunFolder {
  private readonly samplesFile: string;

  constructor(readonly path: string) {
    mkdirSync(path, { recursive: true });
    this.samplesFile = join(path, 'samples.jsonl');
    this.dropTornLine();
  }

  /** Adds samples to `samples.jsonl`, flushed to the disk. */
  append(samples: readonly Sample[]): void {
    if (samples.length === 0) return;
    const file = openSync(this.samplesFile, 'a');
    const before = fstatSync(file).size;
    try {
      writeSync(file, samples.map((sample) => `${JSON.stringify(sample)}\n`).join(''));
      fsyncSync(file);
    } catch (error) {
      ftruncateSync(file, before); // a full disk takes half a line
      throw error;
    } finally {
      closeSync(file);
    }
  }

  samples(): Sample[] {
    return readSamples(existsSync(this.samplesFile) ? readFileSync(this.samplesFile, 'utf8') : '');
  }

  writeStatus(status: RunStatus): void {
    this.write('status.json', `${JSON.stringify(status, null, 2)}\n`);
  }

  /** Writes a file whole or not at all. */
  write(name: string, content: string): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    const draft = `${path}.new`;
    const file = openSync(draft, 'w');
    try {
      writeSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
    return path;
  }

  readJson<T>(name: string): T {
    return JSON.parse(readFileSync(join(this.path, name), 'utf8')) as T;
  }

  /** A driver that was killed within a write leaves half a line, which would spoil the next one. It holds no whole sample. */
  private dropTornLine(): void {
    if (!existsSync(this.samplesFile)) return;
    const content = readFileSync(this.samplesFile);
    const end = content.lastIndexOf(0x0a) + 1;
    if (end < content.length) truncateSync(this.samplesFile, end);
  }
}

/** The samples of a `samples.jsonl`; a last line without its end is not one. */
export function readSamples(text: string): Sample[] {
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Sample);
}
