import type { Manifest } from '../../lib/schema/run';
import { isLocal, type Place, placeOf, wordsOf } from '../../lib/store/place';
import { soundRun } from '../analysis/runs';

type Arm = Manifest['arms'][number];

/** The place of a run with these in place of its manifest's arms. */
function placeWith(change: (arm: Arm, at: number) => Partial<Arm>, lab = false): Place {
  const { plan, manifest } = soundRun({ lab });
  if (manifest === null) throw new Error('a sound run has a manifest');
  return placeOf({
    plan,
    manifest: { ...manifest, arms: manifest.arms.map((arm, at) => ({ ...arm, ...change(arm, at) })) },
  });
}

const local = (actually: string): Partial<Arm> => ({ kind: 'directory', actually });

test.each<[string, Place, () => Place]>([
  ['deployed arms', 'aws', () => placeWith(() => ({}))],
  ['a directory beside a deployed arm', 'aws', () => placeWith((_, at) => (at === 0 ? local('nfs4 on fs-1:/') : {}))],
  ['directories of a disk', 'directories', () => placeWith(() => local('ext4 on /dev/nvme1n1'))],
  ['directories that nobody described', 'directories', () => placeWith(() => ({ kind: 'directory', actually: null }))],
  ['a directory with a type in its name', 'directories', () => placeWith(() => local('the lustre on the shelf'))],
  [
    'one mount of a network, and one disk',
    'mounted',
    () => placeWith((_, at) => local(at === 0 ? 'ext4 on /dev/sda1' : 'nfs4 on fs-1:/')),
  ],
  ['the lab', 'lab', () => placeWith(() => local('lustre on 10.0.0.15@tcp:/abc'), true)],
  [
    'the lab’s model, if only of one arm',
    'model',
    () => placeWith((_, at) => (at === 0 ? { model: { scale: 1000 } as never } : {}), true),
  ],
])('%s: %s', (_, expected, place) => {
  expect(place()).toBe(expected);
});

test('without a manifest, or without arms in it, the run counts as one on AWS unless its plan was made for the lab', () => {
  const { plan, manifest } = soundRun();
  const lab = soundRun({ lab: true });
  expect(placeOf({ plan, manifest: null })).toBe('aws');
  expect(placeOf({ plan, manifest: manifest && { ...manifest, arms: [] } })).toBe('aws');
  expect(placeOf({ plan: null, manifest: lab.manifest })).toBe('lab');
  const made = plan && { ...plan, issues: [{ id: 'lab-run', severity: 'note', message: 'lab' } as never] };
  expect(placeOf({ plan: made, manifest: null })).toBe('lab');
  expect(placeOf({ plan: null, manifest: null })).toBe('aws');
  // The deployed configuration is more reliable than the planned one.
  expect(placeOf({ plan: made, manifest })).toBe('aws');
});

test('only a run on the user’s own directories or mounts is local, and only AWS needs no excuse', () => {
  const { plan, manifest } = soundRun();
  expect(isLocal(placeOf({ plan, manifest }))).toBe(false);
  expect(isLocal(placeOf(soundRun({ lab: true })))).toBe(false);
  for (const actually of ['ext4 on /dev/sda1', 'nfs4 on fs-1:/'])
    expect(
      isLocal(
        placeOf({
          plan,
          manifest: manifest && { ...manifest, arms: manifest.arms.map((arm) => ({ ...arm, ...local(actually) })) },
        }),
      ),
    ).toBe(true);
  expect(
    (['aws', 'lab', 'model', 'directories', 'mounted'] as const).filter((place) => wordsOf(place) === null),
  ).toEqual(['aws']);
});
