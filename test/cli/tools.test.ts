import { toolSettings } from '../../lib/cli/tools';

const all = { ior: '3.3.0', mdtest: '3.3.0', openmpi: '4.1.4', fio: '3.33' };

describe('what a machine can measure data with', () => {
  test.each([
    ['IOR of a known version', all, ['iorVersion=3.3.0']],
    ['an IOR whose patterns are not known', { ...all, ior: '3.2.1' }, ['tool=fio']],
    ['IOR without mpirun', { ior: '3.3.0', fio: '3.33' }, ['tool=fio']],
  ])('%s', (_, tools, settings) => {
    expect(toolSettings(tools, 'paired')).toEqual(settings);
  });
});

describe('what a machine can measure metadata with', () => {
  test.each([
    ['mdtest of a known version', all, ['iorVersion=3.3.0']],
    ['mdtest 4.0.0', { ...all, mdtest: '4.0.0' }, ['iorVersion=4.0.0']],
    ['an mdtest that is too old', { ...all, mdtest: '1.9.3' }, ['tool=fio', 'fileBytes=0']],
    ['IOR without mdtest', { ior: '3.3.0', openmpi: '4.1.4', fio: '3.33' }, ['tool=fio', 'fileBytes=0']],
    ['mdtest without mpirun', { mdtest: '3.3.0', fio: '3.33' }, ['tool=fio', 'fileBytes=0']],
  ])('%s', (_, tools, settings) => {
    expect(toolSettings(tools, 'paired', 'metadata')).toEqual(settings);
  });

  test('fio cannot stand in for the study’s own command', () => {
    expect(() => toolSettings({ fio: '3.33' }, 'published', 'metadata')).toThrow(
      'the published plan needs mdtest 3.3.0 or 4.0.0 and mpirun; here is no mdtest: take --plan paired',
    );
  });

  test('nothing at all is said with what to install', () => {
    expect(() => toolSettings({}, 'paired', 'metadata')).toThrow(
      'neither mdtest with mpirun nor fio is here: install fio (npx fsxbench doctor says how)',
    );
  });
});
