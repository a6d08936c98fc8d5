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
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { inside } from '../kit/inside';
import { readTextOrNull } from '../schema/document';
import { type RunStatus, statusSchema } from '../schema/run';
import type { Sample } from '../schema/sample';
import { parseSamples } from './parseSamples';

/** A run's folder on the machine that drives it. Everything is on disk before it counts. */
export class RunFolder {
  private readonly samplesFile: string;

  constructor(readonly path: string) {
    mkdirSync(path, { recursive: true });
    this.samplesFile = inside(path, 'samples.jsonl');
    this.dropTornLine();
  }

  /** Adds samples to `samples.jsonl`, flushed to the disk. */
  append(samples: readonly Sample[]): void {
    if (samples.length === 0) return;
    const file = openSync(this.samplesFile, 'a');
    const before = fstatSync(file).size;
    try {
      // Not writeSync: a disk that fills up takes a part, and says nothing of the rest.
      writeFileSync(file, samples.map((sample) => `${JSON.stringify(sample)}\n`).join(''));
      fsyncSync(file);
    } catch (error) {
      ftruncateSync(file, before);
      throw error;
    } finally {
      closeSync(file);
    }
  }

  /** Every whole sample; a damaged line is none, so that its task is done again. */
  samples(): Sample[] {
    return readSamples(existsSync(this.samplesFile) ? readFileSync(this.samplesFile, 'utf8') : '');
  }

  writeStatus(status: RunStatus): void {
    this.write('status.json', `${JSON.stringify(status, null, 2)}\n`);
  }

  /** What the driver before this one said last; `null` where none did, or its words are damaged. */
  lastStatus(): RunStatus | null {
    const path = inside(this.path, 'status.json');
    return existsSync(path) ? readTextOrNull(statusSchema, readFileSync(path, 'utf8')) : null;
  }

  /** Writes a file whole or not at all. @throws unless it is below the folder */
  write(name: string, content: string | Uint8Array): string {
    const path = inside(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    const draft = inside(this.path, `${name}.new`);
    const file = openSync(draft, 'w');
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
    return path;
  }

  /** A driver that was killed within a write leaves half a line, which would spoil the next one. It holds no whole sample. */
  private dropTornLine(): void {
    if (!existsSync(this.samplesFile)) return;
    const content = readFileSync(this.samplesFile);
    const end = content.lastIndexOf(0x0a) + 1;
    if (end < content.length) truncateSync(this.samplesFile, end);
  }
}

/** The samples of a `samples.jsonl`, without the lines that are none. */
export function readSamples(text: string): Sample[] {
  return parseSamples(text).samples;
}
