import type { Measured } from './measure';

/** Numbers of the metadata targets that `lfs df` lists: `fsxvol-MDT0000_UUID … /fsx[MDT:0]`, sorted. */
export function metadataTargetsOf(lfsDf: string): number[] {
  const found = [...lfsDf.matchAll(/\[MDT:(\d+)\]/g)].map((match) => Number(match[1]));
  return [...new Set(found)].sort((a, b) => a - b);
}

/** What `lfs getdirstripe -m` said of directories: a number on a line for each. */
export function targetIndices(text: string): number[] {
  return text
    .split('\n')
    .filter((line) => /^\s*\d+\s*$/.test(line))
    .map(Number);
}

/**
 * How many of the ranks' directories each metadata target has, and how even that is: the least over the most, 1 where all have as many.
 *
 * @param text what `lfs getdirstripe -m` said of each of them
 * @param targets directories of the spread, `mdt0`, `mdt1`, …: targets that may have none
 */
export function spreadOf(text: string, targets: readonly string[]): Measured[] {
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
      ...(even === null ? { reason: 'lfs getdirstripe named no directory of a rank' } : {}),
    },
  ];
}
