import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DisturbanceDetector } from '../../lib/run/driver/clock';
import { RunProgress } from '../../lib/run/driver/resume';
import { StatusKeeper } from '../../lib/run/driver/statusKeeper';
import { RunFolder } from '../../lib/store/folder';
import { smallPlan, temporaryFolder } from './bench';

/** The events of a run after some seconds, of which writing results took some, that is asked twice. */
async function eventsAfter(seconds: number, writing: number) {
  const folder = new RunFolder(temporaryFolder());
  let steady = 0;
  const clocks = { wall: () => steady, steady: () => steady };
  const kept = { run: 'r-1', plan: smallPlan(), folder, onChange: () => {}, clocks };
  const keeper = new StatusKeeper(kept, new RunProgress([]), [], new DisturbanceDetector(1e6, clocks));
  steady += seconds * 1000;
  folder.writingSeconds = writing;
  await keeper.noteSlowFolder();
  await keeper.noteSlowFolder();
  return { events: keeper.status.sessions[0]?.events ?? [], path: folder.path };
}

test('a results folder that holds the run up is named once, with its share, its disk and where to go', async () => {
  const { events, path } = await eventsAfter(100, 12);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ kind: 'slow-results' });
  expect(events[0]?.message).toContain(`has taken 12 s of the first 1 min 40 s (12 %): '${path}' is slow (`);
  expect(events[0]?.message).toMatch(/ on .*\); put results on a local disk, as with --results$/);
});

test('writing that takes less than 5 % of the run, or of 5 seconds, is not worth a word', async () => {
  expect((await eventsAfter(1000, 49)).events).toEqual([]);
  expect((await eventsAfter(10, 4.9)).events).toEqual([]);
});

test('a folder counts the time of what it writes, also where that fails', () => {
  const folder = new RunFolder(temporaryFolder());
  expect(folder.writingSeconds).toBe(0);
  folder.write('a', 'x');
  const once = folder.writingSeconds;
  expect(once).toBeGreaterThan(0);
  mkdirSync(join(folder.path, 'folder'));
  expect(() => folder.write('folder', 'x')).toThrow('EISDIR');
  expect(folder.writingSeconds).toBeGreaterThan(once);
});
