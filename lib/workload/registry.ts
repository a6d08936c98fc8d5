import { compsize } from './compsize';
import { dd } from './dd';
import { du } from './du';
import { elbencho } from './elbencho';
import { fio } from './fio';
import { ior } from './ior';
import { mdtest } from './mdtest';
import { smallfile } from './smallfile';
import type { Tool } from './tool';
import { xdd } from './xdd';

/**
 * Every tool that is known here, in the order in which a log of several is given its tool. A new one is a folder and a line here; nothing
 * else imports those folders (test/workload/seam.test.ts).
 */
export const TOOLS: readonly Tool[] = [ior, mdtest, fio, elbencho, smallfile, dd, compsize, du, xdd];
