import { howToInstall, inWords, missingFrom } from '../../lib/lab/needs';

const [fio, moosefs] = ['fio\tfio\tfio', 'mfsmount\tmoosefs-client fio\t-'].map(missingFrom) as [
  ReturnType<typeof missingFrom>,
  ReturnType<typeof missingFrom>,
];

test('what is missing is installed by the packages of both kinds of systems, or of the one that has all', () => {
  expect(howToInstall([fio])).toBe('apt-get install fio, or dnf install fio');
  expect(howToInstall([fio, moosefs])).toBe('apt-get install fio moosefs-client');
});

test.each([
  ['fio', [fio], null, 'fio is missing: apt-get install fio, or dnf install fio'],
  [
    'MooseFS',
    [moosefs, fio],
    'arms are left out',
    'MooseFS needs mfsmount, fio: apt-get install moosefs-client fio; without it arms are left out',
  ],
])('%s is told with how to get it, and what goes without', (of, missing, without, said) => {
  expect(inWords({ of, uses: [], without, missing })).toBe(said);
});
