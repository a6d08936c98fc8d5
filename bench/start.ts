/** Start-up time of the command line, as a multiple of an empty Node.js process in the same run. */
import { join } from 'node:path';
import { printTimes, timeCommands } from './shared/rounds';

const CLI = [process.execPath, join(process.cwd(), 'dist', 'fsxbench.js')];
const FIXTURE = join(process.cwd(), 'test', 'fixtures', 'tools', 'ior330_wr_fpp_4r.out');
const ROUNDS = 15;

printTimes(
  timeCommands(
    {
      'an empty process': [process.execPath, '-e', '0'],
      '--help': [...CLI, '--help'],
      list: [...CLI, 'list', '--here'],
      'parse of one file': [...CLI, 'parse', '--json', FIXTURE],
      'plan CompressionBench': [...CLI, 'plan', 'CompressionBench', '--json'],
      'cost CompressionBench': [...CLI, 'cost', 'CompressionBench', '--json'],
    },
    ROUNDS,
  ),
);
