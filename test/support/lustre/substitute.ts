import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** States of the substitute's second object target; `lfs` next to this file says what each is. */
export type LustreState = 'healthy' | 'inactive' | 'full' | 'deactivated' | 'evicted' | 'hung';

/** A component of a layout: `['EOF', 2, 262144, 'raid0', '0,1']`, with `-` for targets before the first byte. */
export type Component = readonly [end: number | 'EOF', count: number, size: number, pattern: string, targets: string];

/** A substitute for `lfs`, `lctl` and `lsattr` of one mounted Lustre, whose state a test may change at any time. */
export class LustreSubstitute {
  /** For the programs under test: the tools on PATH, and the path of their state. */
  readonly environment: { readonly PATH: string; readonly LUSTRE_SUBSTITUTE: string };

  /**
   * @param folder for its state, made if it is missing
   * @param mount its mount point, in what it prints
   */
  constructor(
    readonly folder: string,
    readonly mount = '/mnt/lz4',
    name = 'lz4',
  ) {
    for (const kind of ['layouts', 'released', 'unknown', 'refused'])
      mkdirSync(join(folder, kind), { recursive: true });
    this.write('mount', mount);
    this.write('name', name);
    this.environment = { PATH: `${__dirname}:${process.env.PATH}`, LUSTRE_SUBSTITUTE: folder };
  }

  set state(state: LustreState) {
    this.write('state', state);
  }

  /** Gives a file, or the files made below a directory, a layout; `mirrors` says how many copies the components are. */
  layout(path: string, components: readonly Component[], mirrors = 1): void {
    const lines = [...(mirrors > 1 ? [`mirrors ${mirrors}`] : []), ...components.map((each) => each.join(' '))];
    this.write(join('layouts', inodeOf(path)), lines.join('\n'));
  }

  /** The layout that a file has now, as {@link layout} wrote it. */
  layoutOf = (path: string): string => readFileSync(join(this.folder, 'layouts', inodeOf(path)), 'utf8');

  /** The file was released to S3, or the client does not have its layout yet. */
  mark(path: string, as: 'released' | 'unknown'): void {
    this.write(join(as, inodeOf(path)), '');
  }

  refuse(path: string, because: 'immutable' | 'append-only' | 'running' | 'open'): void {
    this.write(join('refused', inodeOf(path)), because);
  }

  /** Lets migrations wait before, or after the file was swapped, until the gate is opened. */
  close(gate: 'gate' | 'swapped'): void {
    this.write(`${gate}.closed`, '');
  }

  open(gate: 'gate' | 'swapped'): void {
    rmSync(join(this.folder, `${gate}.closed`), { force: true });
  }

  private write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), `${text}\n`);
  }
}

const inodeOf = (path: string): string => String(statSync(path, { bigint: true }).ino);
