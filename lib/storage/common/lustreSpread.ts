import { join } from 'node:path';
import type { Measured } from '../../workload/common/measured';
import type { MetadataSpread, Readout, Workplace } from '../filesystem';

/** `mdt0/round1/test-dir.0-0/mdtest_tree.0.0` as mdtest names them; deeper are only the files. */
const RANKS = ['-mindepth', '4', '-maxdepth', '4', '-type', 'd', '-name', 'mdtest_tree.*'];

/** A directory on each metadata target, `mdt0`, `mdt1`, …, whose own subdirectories stay on it. */
export const spread: MetadataSpread = {
  async make(place) {
    const look = place.commands.named('targets');
    const failure = await look.run(['lfs', 'df', place.mountPoint], place.seconds);
    const indices = metadataTargetsIn(look.text);
    if (failure !== null || indices.length === 0)
      return { measured: [], failure: failure ?? 'lfs df named no metadata target' };
    for (const index of indices) {
      const wrong = await makeOnTarget(place, index);
      if (wrong !== null) return { measured: [], failure: wrong };
    }
    const count: Measured = { operation: 'metadata_targets', metric: 'count', value: indices.length, unit: '1' };
    return { measured: [count], failure: null };
  },
  directories: (names) =>
    names.filter((name) => /^mdt\d+$/.test(name)).sort((a, b) => Number(a.slice(3)) - Number(b.slice(3))),
  async verify({ commands, directory, seconds }, names): Promise<Readout> {
    const command = ['find', directory, ...RANKS, '-exec', 'lfs', 'getdirstripe', '-m', '{}', ';'];
    const failure = await commands.run(command, seconds);
    return { measured: spreadOf(commands.text, spread.directories(names)), failure };
  },
};

/** @returns why it could not, or `null` */
async function makeOnTarget({ directory, commands, seconds, owned }: Workplace, index: number): Promise<string | null> {
  const path = join(directory, `mdt${index}`);
  const target = ['-i', String(index), '-c', '1'];
  const making = [
    ['lfs', 'mkdir', ...target, path],
    ['lfs', 'setdirstripe', '-D', ...target, '--max-inherit', '-1', path],
    ...owned(path),
  ];
  const failure = await commands.named(`mdt${index}`).each(making, seconds);
  if (failure !== null) return failure;
  // `lfs mkdir` can succeed without doing what it was told (facts-tools, "More of what a real Lustre 2.15 does").
  const verify = commands.named(`mdt${index}-verify`);
  const unread = await verify.run(['lfs', 'getdirstripe', '-m', path], seconds);
  const [found] = targetIndices(verify.text);
  if (unread === null && found === index) return null;
  return `mdt${index}: ${unread ?? `the directory is on metadata target ${found ?? 'unknown'}`}`;
}

/** Numbers of the metadata targets that `lfs df` lists: `fsxvol-MDT0000_UUID … /fsx[MDT:0]`, sorted. */
function metadataTargetsIn(lfsDf: string): number[] {
  const found = [...lfsDf.matchAll(/\[MDT:(\d+)\]/g)].map((match) => Number(match[1]));
  return [...new Set(found)].sort((a, b) => a - b);
}

/** Parses the output of `lfs getdirstripe -m`: one number per line and directory. */
const targetIndices = (text: string): number[] =>
  text
    .split('\n')
    .filter((line) => /^\s*\d+\s*$/.test(line))
    .map(Number);

/**
 * Counts the ranks' directories on each metadata target, and their evenness: the minimum ÷ the maximum, 1 where all have as many.
 *
 * @param text output of `lfs getdirstripe -m` on each of them
 * @param targets directories of the spread, `mdt0`, `mdt1`, …: targets that may have none
 */
function spreadOf(text: string, targets: readonly string[]): Measured[] {
  const indices = targetIndices(text);
  const known = [...new Set([...targets.map((name) => Number(name.slice(3))), ...indices])].sort((a, b) => a - b);
  const counts = known.map((index) => indices.filter((each) => each === index).length);
  const even = indices.length === 0 ? null : Math.min(...counts) / Math.max(...counts);
  return [
    ...known.map((index, at): Measured => {
      const metric = `MDT${index.toString(16).padStart(4, '0')}`;
      return { operation: 'directories', metric, value: counts[at] ?? 0, unit: '1' };
    }),
    {
      operation: 'directories',
      metric: 'evenness',
      value: even,
      unit: '1',
      reason: even === null ? 'lfs getdirstripe named no directory of a rank' : undefined,
    },
  ];
}
