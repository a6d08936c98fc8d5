import { relative } from 'node:path';
import { obtainRun } from '../../../lib/cli/results/runs';
import type { RunStatus } from '../../../lib/schema/run';
import { folderOf } from '../../../lib/store/library';
import { soundRun } from '../../analysis/runs';
import { writeRun } from '../../report/writeRun';
import { temporaryFolder } from '../../run/bench';

const mockAsked = jest.fn(async () => {
  throw new Error('no bucket');
});
jest.mock('../../../lib/run/deployed', () => ({
  ...jest.requireActual('../../../lib/run/deployed'),
  findResultsBucket: () => mockAsked(),
}));

test('a run that is named by its folder is that folder, however the path is written, and no bucket is asked', async () => {
  const { status, ...sound } = soundRun({ repeats: 2, compressibilities: [1] });
  const stopped = status && { ...status, state: 'interrupted' as const };
  const folder = writeRun({ ...sound, status: stopped, raw: [] }, temporaryFolder());
  for (const path of [folder, relative('.', folder), `${folder}/`])
    expect(await obtainRun(path, 'results')).toMatchObject({ folder });
  expect(mockAsked).not.toHaveBeenCalled();
});

test('a copy that is done is asked for again only where the run ended anew since', async () => {
  mockAsked.mockClear();
  const sound = soundRun({ repeats: 2, compressibilities: [1] });
  const ended = sound.status as RunStatus;
  const results = temporaryFolder();
  writeRun({ ...sound, raw: [] }, folderOf(results, ended.benchmark, ended.run));
  await obtainRun(ended.run, results);
  await obtainRun(ended.run, results, ended);
  expect(mockAsked).not.toHaveBeenCalled();
  await obtainRun(ended.run, results, { ...ended, updatedAt: '2026-11-27T09:00:00.000Z' });
  expect(mockAsked).toHaveBeenCalledTimes(1);
});
