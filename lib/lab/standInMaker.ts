import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mountAbove, mountsBelow } from '../common/mounts';
import type { StandIn } from '../storage/standIn';
import { GIB, makeFolder } from './folders';
import type { LabPaths } from './paths';
import type { OnProgress } from './progress';
import { removeStandIns } from './removeStorages';
import { type Environment, obstacleToStandIn, startStandIn } from './standIns';
import type { LabStorage } from './state';

/** Stand-ins for an arm, the best first. */
export interface Choice {
  readonly arm: string;
  /** Label of its storage. */
  readonly label: string;
  readonly standIns: readonly StandIn[];
}

/** A stand-in to make for an arm. */
interface Wanted {
  readonly arm: string;
  readonly standIn: StandIn;
}

interface StandInMakerOptions {
  readonly paths: LabPaths;
  readonly environment: Environment;
  /** Size of each in GiB; 0 where there is no room. */
  readonly size: () => number;
  /** Called with all that is made or will be, before it is. */
  readonly record: (storages: readonly LabStorage[]) => Promise<void>;
  /** Called with what readers of the results must know. */
  readonly tell: (notice: string) => void;
  readonly onProgress: OnProgress;
}

/** Makes stand-ins of arms: the best that this machine can have. */
export class StandInMaker {
  /** Made and mounted. */
  readonly made: LabStorage[] = [];

  constructor(private readonly options: StandInMakerOptions) {}

  /** Makes the best stand-ins that all of these arms can have, since they know the same ones; reports the reason if there is none. */
  async add(choices: readonly Choice[]): Promise<void> {
    for (const rank of choices[0]?.standIns.keys() ?? []) {
      const wanted = choices.map(({ arm, standIns }): Wanted => ({ arm, standIn: standIns[rank] as StandIn }));
      if (await this.makes(wanted)) return;
    }
    for (const { arm, label } of choices)
      this.options.tell(`${arm} is left out: nothing here can stand in for ${label}.`);
  }

  /** Makes a stand-in for each of these arms, and tells why if it cannot. */
  private async makes(wanted: readonly Wanted[]): Promise<boolean> {
    const { paths, size, record, tell, onProgress } = this.options;
    const { label, program } = (wanted[0] as Wanted).standIn;
    const obstacle = program === null ? null : await obstacleToStandIn(paths, program);
    if (obstacle !== null) {
      tell(`No ${label} here: ${obstacle}.`);
      return false;
    }
    const sizeGiB = program === null ? 0 : size();
    if (program !== null && sizeGiB === 0) return false;
    const planned = wanted.map((one) => this.inPlace(one));
    await record([...this.made, ...planned]);
    const arms = wanted.map(({ arm }) => arm);
    const started = await this.start(wanted, sizeGiB * GIB);
    if ('failure' in started) {
      const left = await removeStandIns(paths, arms);
      tell(`${[`${label} failed: ${started.failure}`, ...left].join('; ')}.`);
      return false;
    }
    if (program !== null)
      onProgress(`${arms.join(', ')}: ${label}, ${sizeGiB} GiB each`, 'setting up the file systems');
    const made = planned.map((one) => {
      const said = started.said.get(one.arm) ?? '';
      return said === '' ? one : { ...one, actually: `${said}: ${one.actually}` };
    });
    this.made.push(...made);
    if (made.some((one, index) => one !== planned[index])) await record(this.made);
    return true;
  }

  private inPlace({ arm, standIn }: Wanted): LabStorage {
    const { paths } = this.options;
    const { name, filesystem, actually, program, master } = standIn;
    const on = program === null ? ` on ${mountAbove(paths.root)?.type ?? 'unknown'}` : '';
    const mountPoint = join(paths.mounts, arm);
    return { arm, kind: name, mountPoint, filesystem, actually: `${actually}${on}`, master };
  }

  /** Messages of the programs that made the stand-ins, by arm, or the first failure. */
  private async start(
    wanted: readonly Wanted[],
    bytes: number,
  ): Promise<{ readonly said: ReadonlyMap<string, string> } | { readonly failure: string }> {
    const { paths, environment } = this.options;
    const said = new Map<string, string>();
    for (const { arm, standIn } of wanted) {
      const mountPoint = join(paths.mounts, arm);
      makeFolder(paths, mountPoint);
      if (standIn.program === null) continue;
      const started = await startStandIn(paths, standIn.program, { arm, mountPoint, bytes, environment });
      if ('failure' in started) return started;
      if (!mountsBelow(paths.mounts).some((mount) => mount.mountPoint === mountPoint))
        return { failure: `nothing is mounted at ${mountPoint}` };
      said.set(arm, started.said);
      // Like a benchmark directory on Lustre, writable for the user who runs the driver; one whose mode the mount set cannot be changed.
      if (((await stat(mountPoint)).mode & 0o002) === 0) await chmod(mountPoint, 0o1777);
    }
    return { said };
  }
}
