import { basename, dirname, join } from 'node:path';
import type { Action } from '../schema/plan';
import type { Measured } from './measure';
import { failureOf } from './process';
import type { Shell } from './shell';
import { metadataTargetsOf, targetIndices } from './spread';

/** What is known of the place where the data of a unit lie. */
interface DataDirectoryOptions {
  /** Mount point of the Lustre that it is on; `null` on any other file system. */
  readonly lustre: string | null;
  /** Who works in it; `null`: whoever runs the driver. */
  readonly user: string | null;
  /** Names in a directory; none where it does not exist. */
  readonly list: (directory: string) => readonly string[];
  /** What each command may take. */
  readonly seconds: number;
}

/** Behind the name of a directory that an earlier attempt left: removing millions of files takes longer than making others. */
const LEFT = '.left-';
/** `mdt0/round1/test-dir.0-0/mdtest_tree.0.0` as mdtest names them; deeper are only the files. */
const RANKS = ['-mindepth', '4', '-maxdepth', '4', '-type', 'd', '-name', 'mdtest_tree.*'];

type MakeDirectory = Extract<Action, { kind: 'make-directory' }>;

/** The data directory of one unit on one arm. */
export class DataDirectory {
  constructor(
    readonly path: string,
    private readonly shell: Shell,
    private readonly options: DataDirectoryOptions,
  ) {}

  /** Makes it, empty where that is asked for, with its layout, and with a directory on each metadata target. */
  async make({ stripeCount, fresh, spread }: MakeDirectory): Promise<{ measured: Measured[]; failure: string | null }> {
    const { lustre, seconds } = this.options;
    const commands: string[][] = [];
    if (fresh && this.siblings().includes(basename(this.path))) {
      const left = this.leftOvers().length + 1;
      commands.push(['mv', '-T', this.path, `${this.path}${LEFT}${left}`]);
    }
    commands.push(['mkdir', '-p', this.path]);
    if (lustre !== null && stripeCount !== null)
      commands.push(['lfs', 'setstripe', '-c', String(stripeCount), this.path]);
    const failure = await this.shell.each([...commands, ...this.owned(this.path)], seconds);
    if (failure !== null || lustre === null || !spread) return { measured: [], failure };
    return this.spread(lustre);
  }

  /** The directories on metadata targets, in their order: `mdt0`, `mdt1`, …; none where it was not spread. */
  targets(): string[] {
    return this.options
      .list(this.path)
      .filter((name) => /^mdt\d+$/.test(name))
      .sort((a, b) => Number(a.slice(3)) - Number(b.slice(3)));
  }

  /** Prints the metadata target of every rank's directory. @returns why it could not, or `null` */
  async lookWhereRanksAre(): Promise<string | null> {
    const command = ['find', this.path, ...RANKS, '-exec', 'lfs', 'getdirstripe', '-m', '{}', ';'];
    return failureOf(await this.shell.run(command, this.options.seconds));
  }

  /** Removes it with all that earlier attempts left. @returns why it could not, or `null` */
  async remove(): Promise<string | null> {
    const paths = [this.path, ...this.leftOvers().map((name) => join(dirname(this.path), name))];
    return this.shell.each([['rm', '-rf', '--one-file-system', ...paths]], this.options.seconds);
  }

  private async spread(lustre: string): Promise<{ measured: Measured[]; failure: string | null }> {
    const { seconds } = this.options;
    const look = this.shell.named('targets');
    const failure = failureOf(await look.run(['lfs', 'df', lustre], seconds));
    const indices = metadataTargetsOf(look.text);
    if (failure !== null || indices.length === 0)
      return { measured: [], failure: failure ?? 'lfs df named no metadata target' };
    for (const index of indices) {
      const wrong = await this.makeOnTarget(index);
      if (wrong !== null) return { measured: [], failure: wrong };
    }
    return {
      measured: [{ operation: 'metadata_targets', metric: 'count', value: indices.length, unit: '1' }],
      failure: null,
    };
  }

  /** A directory on one metadata target, whose own subdirectories stay on it. */
  private async makeOnTarget(index: number): Promise<string | null> {
    const { seconds } = this.options;
    const path = join(this.path, `mdt${index}`);
    const target = ['-i', String(index), '-c', '1'];
    const commands = [
      ['lfs', 'mkdir', ...target, path],
      ['lfs', 'setdirstripe', '-D', ...target, '--max-inherit', '-1', path],
      ...this.owned(path),
    ];
    const failure = await this.shell.named(`mdt${index}`).each(commands, seconds);
    if (failure !== null) return failure;
    // `lfs mkdir` can succeed without doing what it was told (facts-tools, "More of what a real Lustre 2.15 does").
    const verify = this.shell.named(`mdt${index}-verify`);
    const unread = failureOf(await verify.run(['lfs', 'getdirstripe', '-m', path], seconds));
    const [found] = targetIndices(verify.text);
    if (unread === null && found === index) return null;
    return `mdt${index}: ${unread ?? `the directory is on metadata target ${found ?? 'unknown'}`}`;
  }

  private owned(path: string): string[][] {
    const { user } = this.options;
    return user === null ? [] : [['chown', user, path]];
  }

  private siblings(): readonly string[] {
    return this.options.list(dirname(this.path));
  }

  private leftOvers(): string[] {
    return this.siblings().filter((name) => name.startsWith(`${basename(this.path)}${LEFT}`));
  }
}
