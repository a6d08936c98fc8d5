/** Time for advice, as a multiple of an empty Node.js process in the same run, and per answer within a process. */
import { join } from 'node:path';
import { advise } from '../lib/advise';
import { line, median, printTimes, timeCommands, timed } from './shared/rounds';

const CLI = [process.execPath, join(process.cwd(), 'dist', 'fsxbench.js')];
const ROUNDS = 15;
const ANSWERS = 50;
const REQUIRED = ['--read', '20', '--write', '10', '--capacity', '200', '--metadata', '50000', '--ratio', '2'];
const PREDICTED = ['--deployment', 'PERSISTENT_1', '--per-unit', '200', '--capacity', '14400', '--ratio', '3.75'];

const times = timeCommands(
  {
    'an empty process': [process.execPath, '-e', '0'],
    predict: [...CLI, 'predict', ...PREDICTED, '--json'],
    advise: [...CLI, 'advise', ...REQUIRED, '--json'],
  },
  ROUNDS,
);
printTimes(times);

const answers = Array.from(
  { length: ANSWERS },
  (_, round) =>
    timed(() =>
      advise({
        readMBps: 1000 + round * 700,
        writeMBps: 500 + round * 400,
        capacityTB: 1 + round * 20,
        createsPerSecond: 1000 + round * 7000,
        ratio: 2,
        clients: { count: 64, instanceType: 'c6in.32xlarge', efa: true },
      }),
    ).milliseconds,
);
console.log(line('an answer in a process', median(answers), median(times.get('an empty process') ?? []), answers));
