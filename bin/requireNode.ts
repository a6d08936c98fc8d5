/** Imported first: ends the command line with one line where Node.js is too old for what it would load. */
import { isSupportedNode, NODE_FLOOR } from '../lib/common/nodeFloor';

if (!isSupportedNode(process.versions.node)) {
  process.stderr.write(
    `fsxbench: Node.js must be ${NODE_FLOOR} or newer, this is ${process.versions.node}: run \`npm run build\`, which fetches one for npx, and call \`npx fsxbench\`; or install it from https://nodejs.org\n`,
  );
  process.exit(1);
}
