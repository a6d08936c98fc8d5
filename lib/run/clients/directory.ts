import { basename, dirname, join } from 'node:path';
import type { Action } from '../../schema/plan';
import { spaceOf } from '../../storage/common/space';
import type { Filesystem, Readout, Workplace } from '../../storage/filesystem';

/** The location of a unit's data. */
interface DataDirectoryOptions {
  readonly filesystem: Filesystem;
  readonly place: Workplace;
  /** Names in a directory; empty if it does not exist. */
  readonly list: (directory: string) => readonly string[];
}

/** Suffix for directories left by earlier attempts, which are not removed at once, since removing millions of files takes longer than creating new ones. */
const LEFT = '.left-';

/** The data directory of one unit on one arm. */
export class DataDirectory {
  constructor(private readonly options: DataDirectoryOptions) {}

  get path(): string {
    return this.options.place.directory;
  }

  /** Creates it, empty if requested, with its layout, and optionally a directory on each metadata target. */
  async make(action: Extract<Action, { kind: 'make-directory' }>): Promise<Readout> {
    const { kind: _, fresh, spread, ...layout } = action;
    const { filesystem, place } = this.options;
    const { commands, seconds, owned, removal } = place;
    const making: string[][] = [];
    if (fresh && this.siblings().includes(basename(this.path))) {
      const left = this.leftOvers().length + 1;
      making.push(
        filesystem.renames === false ? removal([this.path]) : ['mv', '-T', this.path, `${this.path}${LEFT}${left}`],
      );
    }
    making.push(['mkdir', '-p', this.path]);
    making.push(...(filesystem.layout?.commands(this.path, layout) ?? []));
    const failure = await commands.each([...making, ...owned(this.path)], seconds);
    if (failure !== null || filesystem.spread === undefined || !spread) return { measured: [], failure };
    return filesystem.spread.make(place);
  }

  /** The directories on metadata targets, in order; empty if it was not spread. */
  targets(): string[] {
    return this.options.filesystem.spread?.directories(this.options.list(this.path)) ?? [];
  }

  /** Counts the ranks' directories per metadata target; empty if files are not spread explicitly. */
  async verifySpread(): Promise<Readout> {
    const { filesystem, place, list } = this.options;
    return (await filesystem.spread?.verify(place, list(this.path))) ?? { measured: [], failure: null };
  }

  /** Space of its files on disk. */
  async space(): Promise<Readout> {
    const { filesystem, place } = this.options;
    // The writing client's view of a file's blocks is stale until that file is synced (facts-tools, "Six traps", 2).
    const sync = ['find', this.path, '-type', 'f', '-exec', 'sync', '{}', '+'];
    const unsynced = await place.commands.each([sync], place.seconds);
    if (unsynced !== null) return { measured: spaceOf(null, null, unsynced), failure: unsynced };
    return filesystem.space.read(place);
  }

  /** Removes it with all leftovers of earlier attempts. @returns the reason for a failure, or `null` */
  async remove(): Promise<string | null> {
    const { commands, seconds, removal } = this.options.place;
    const paths = [this.path, ...this.leftOvers().map((name) => join(dirname(this.path), name))];
    return commands.each([removal(paths)], seconds);
  }

  private siblings(): readonly string[] {
    return this.options.list(dirname(this.path));
  }

  private leftOvers(): string[] {
    return this.siblings().filter((name) => name.startsWith(`${basename(this.path)}${LEFT}`));
  }
}
