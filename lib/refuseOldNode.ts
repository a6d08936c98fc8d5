/** Imported first by each entry of the package: throws an error that names the required Node.js, before anything uses what an older one lacks. */
import { isSupportedNode, NODE_FLOOR } from './common/nodeFloor';

if (!isSupportedNode(process.versions.node))
  throw new Error(
    `fsxbench needs Node.js ${NODE_FLOOR} or newer, this is ${process.versions.node}: install a newer one from https://nodejs.org`,
  );
