/** Start-up of the command line: processor time as a multiple of an empty Node.js process in the same rounds. */
import { join } from 'node:path';
import { QUICK } from './shared/quick';
import { printTimes, ratioOf, timeCommands } from './shared/rounds';
import { tell } from './shared/row';

const CLI = [process.execPath, join(process.cwd(), 'dist', 'fsxbench.js')];
const FIXTURE = join(process.cwd(), 'test', 'fixtures', 'tools', 'ior330_wr_fpp_4r.out');
const EMPTY = '`node -e 0`';
/** Bounds of the commands that have one. */
const MOST: Readonly<Record<string, number>> = { '--help': 2, list: 2 };
const COMMANDS = {
  '--help': [...CLI, '--help'],
  list: [...CLI, 'list', '--here'],
  'parse of one file': [...CLI, 'parse', '--json', FIXTURE],
  'plan CompressionBench': [...CLI, 'plan', 'CompressionBench', '--json'],
  'cost CompressionBench': [...CLI, 'cost', 'CompressionBench', '--json'],
};

// The first start after a build fills the compile cache.
timeCommands(COMMANDS, 1);
const times = timeCommands({ [EMPTY]: [process.execPath, '-e', '0'], ...COMMANDS }, QUICK ? 11 : 31);
printTimes(times);
for (const name of Object.keys(COMMANDS)) {
  const most = MOST[name];
  tell({
    what: `\`fsxbench ${name}\``,
    against: EMPTY,
    value: ratioOf(times, name, EMPTY),
    unit: '×',
    ...(most === undefined ? {} : { most }),
  });
}
