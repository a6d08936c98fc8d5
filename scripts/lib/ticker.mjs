// Says that a long step is under way while this process waits for it and can say nothing: spawnSync blocks.
import { spawn } from 'node:child_process';

const EVERY_SECONDS = 8;

/** The child ends with its parent, whose id changes when that is gone. */
const TICKS = `
  const [text, every] = process.argv.slice(1);
  const parent = process.ppid;
  let seconds = 0;
  setInterval(() => {
    if (process.ppid !== parent) process.exit();
    seconds += Number(every);
    console.error(text + ' … ' + seconds + ' s');
  }, Number(every) * 1000);
`;

/** Does something that blocks, and says every few seconds that it does. */
export function told(text, work) {
  const ticker = spawn(process.execPath, ['-e', TICKS, text, String(EVERY_SECONDS)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    return work();
  } finally {
    ticker.kill();
  }
}
