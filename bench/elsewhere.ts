/** Waiting that no benchmark here measures: rows of the table with the reason and the way to a figure. */
import { tell } from './shared/row';

const note = (command: string): string => `${command} prints it; minutes of an idle machine`;

for (const [what, most, command] of [
  ['quick start, first time', 180, '`npm run quickstart` in a fresh clone'],
  ['quick start, again', 120, '`npm run quickstart`'],
  ['quick start of StorageBench', 360, '`npm run quickstart -- --benchmark StorageBench`'],
  ['quick start of ClusterBench', 360, '`npm run quickstart -- --benchmark ClusterBench`'],
  ['quick start of OffloadBench', 240, '`npm run quickstart -- --benchmark OffloadBench`'],
  ['`npm test`, fresh clone, two cores', 480, '`npm test`'],
] as const)
  tell({ what, value: null, unit: 's', most, note: note(command) });

tell({
  what: 'boot of a client: build cache',
  against: 'from source',
  value: null,
  unit: '×',
  least: 20,
  note: 'restore-or-build, with and without FSXBENCH_CACHE_URL; needs S3 and the archives of assets/client/tools.tsv',
});
