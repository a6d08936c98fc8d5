/** Processor time for advice: as a multiple of an empty Node.js process, and for all storages in every Region within one process. */
import { join } from 'node:path';
import { advise } from '../lib/advise';
import { REGIONS } from '../lib/common/aws/regions';
import { STORAGES } from '../lib/storage/registry';
import { QUICK } from './shared/quick';
import { median, printTimes, processorSecondsOf, timeCommands } from './shared/rounds';
import { tell } from './shared/row';

const CLI = [process.execPath, join(process.cwd(), 'dist', 'fsxbench.js')];
const REQUIRED = ['--read', '20', '--write', '10', '--capacity', '200', '--metadata', '50000', '--ratio', '2'];
const PREDICTED = ['--deployment', 'PERSISTENT_1', '--per-unit', '200', '--capacity', '14400', '--ratio', '3.75'];

printTimes(
  timeCommands(
    {
      '`node -e 0`': [process.execPath, '-e', '0'],
      predict: [...CLI, 'predict', ...PREDICTED, '--json'],
      advise: [...CLI, 'advise', ...REQUIRED, '--json'],
      'advise --storage all': [...CLI, 'advise', ...REQUIRED, '--storage', 'all', '--json'],
    },
    QUICK ? 5 : 15,
  ),
);

const storages = STORAGES.filter(({ price: { candidates } }) => candidates !== undefined).map(({ kind }) => kind);
const everywhere = () => {
  for (const region of REGIONS)
    advise({ storages, region, readMBps: 20_000, writeMBps: 10_000, capacityTB: 200, ratio: 2 });
};
const [first = Number.NaN, ...later] = Array.from({ length: QUICK ? 3 : 9 }, () => processorSecondsOf(everywhere));
console.log(
  `${REGIONS.length} Regions in a process: ${first.toFixed(2)} s, once compiled ${median(later).toFixed(2)} s`,
);
tell({
  what: `\`advise --storage all\`, all ${REGIONS.length} Regions, one process`,
  value: first,
  unit: 's',
  most: 1,
  note: 'its first answers, with code that is not compiled yet',
});
