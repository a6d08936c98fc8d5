import { engines } from '../../package.json';

/** The oldest major version of Node.js that is supported. */
export const NODE_FLOOR = Number(/\d+/.exec(engines.node)?.[0]);

/** True if a version such as `22.20.1` is supported. */
export const isSupportedNode = (version: string): boolean => Number(version.split('.')[0]) >= NODE_FLOOR;
