import { type StoodIn, standInSentences } from '../../lib/report/standIns';

const model = (name: string, option: string): StoodIn => ({
  name,
  actually: `MooseFS onto Btrfs ${option} on a throttled disk: a 1:100 model of Lustre, ${name}`,
});

/** The section as plain text. */
const said = (arms: readonly StoodIn[]): string[] =>
  standInSentences(arms).map((parts) => parts.map((part) => (typeof part === 'string' ? part : part.arm)).join(''));

test('two arms are told one by one, in full', () => {
  expect(said([model('none', 'compress=no'), model('lz4', 'compress=lzo')])).toEqual([
    'none was really MooseFS onto Btrfs compress=no on a throttled disk: a 1:100 model of Lustre, none.',
    'lz4 was really MooseFS onto Btrfs compress=lzo on a throttled disk: a 1:100 model of Lustre, lz4.',
  ]);
});

test('many that differ in a word are one sentence, with the word of each', () => {
  const arms = [model('off', 'compress=no'), model('lz4', 'compress=lzo'), model('client', 'compress=no')];
  expect(said(arms)).toEqual([
    'Each arm was really MooseFS onto Btrfs on a throttled disk: off and client compress=no; lz4 compress=lzo.',
  ]);
});

test('many that have little in common, or all of it, say it once for each thing', () => {
  const arms = [
    { name: 'xfs', actually: 'XFS on a loop device' },
    { name: 'xfs-2', actually: 'XFS on a loop device' },
    { name: 'moosefs', actually: 'MooseFS through FUSE' },
  ];
  expect(said(arms)).toEqual([
    'xfs and xfs-2 were really XFS on a loop device.',
    'moosefs was really MooseFS through FUSE.',
  ]);
  expect(said([1, 2, 3].map((n) => ({ name: `a${n}`, actually: 'ext4' })))).toEqual([
    'a1, a2 and a3 were really ext4.',
  ]);
  const nested = ['a b c', 'a b c d', 'a b c e'].map((actually, index) => ({ name: `n${index}`, actually }));
  expect(said(nested)).toHaveLength(3);
});
