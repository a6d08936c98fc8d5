import * as z from 'zod';
import { described, field } from '../../../common/field';
import { IN_SECONDS } from '../../../common/quantity';
import { IOR_VERSIONS } from '../../../workload/common/iorRelease';
import { FILES_WORKLOADS, idsOf } from '../../../workload/lookup';
import type { FilesPhase } from '../../../workload/workload';
import { choice, flag, numbers, whole } from '../../common/parameters';
import type { PlanScale } from '../../plan';

/** Items that are created, read by stat and removed. */
const OPERATIONS = ['files', 'directories', 'both'] as const;

/** Operations on each file or directory, in this order. Creations come first: without them there is nothing to work on. */
const PHASES = ['create', 'stat', 'read', 'remove'] as const satisfies readonly FilesPhase['operation'][];

export const phasesIn = (text: string): string[] => text.split(',');
const isPhase = (text: string): boolean => PHASES.some((phase) => phase === text);

/** The workloads that can do this, the one that is taken first. */
const FILES_TOOLS = idsOf(FILES_WORKLOADS);

export const metadataParameters = z.strictObject({
  /** Number of measurements of each operation on each arm and size. */
  repeats: whole(1, 1000),
  /** Minimum length of a phase: one-minute metrics need 300 s to see it (facts-peers, section 1, 6). */
  seconds: whole(0, 172_800, IN_SECONDS),
  /** Sizes of the files, bytes; 0 = they are only created. */
  fileBytes: numbers(
    z
      .int()
      .min(0)
      .max(2 ** 20),
    'sizes in bytes from 0 to 1048576',
  ),
  /** Operations on files, on directories, or on each after the other. */
  operations: choice(OPERATIONS),
  /** Phases to measure; the rest is left out. Tools without a read phase leave it out as well. */
  phases: described(
    field(
      z.string().refine((text) => {
        const list = phasesIn(text);
        return list.includes('create') && new Set(list).size === list.length && list.every((one) => isPhase(one));
      }),
      `create, alone or with some of ${PHASES.slice(1).join(', ')}, separated by commas, each once`,
    ),
  ),
  tool: choice(FILES_TOOLS),
  /** mdtest comes with IOR and has its version. */
  iorVersion: choice(IOR_VERSIONS),
  ranksPerClient: whole(1, 1024),
  /** Files, or directories, of a rank in a round. `null`: what the documented rate of the arm creates in `roundSeconds`. */
  filesPerRank: whole(1, 10_000_000).nullable(),
  /** Target length of a round. A phase has several rounds: its length then does not depend on the arm's speed. */
  roundSeconds: whole(1, 3600, IN_SECONDS),
  /** Divisor of the documented rates: above 1 in the lab's scale model. */
  modelScale: whole(1, 10_000),
  /** The most files per directory; each directory belongs to one rank. */
  filesPerDirectory: whole(1, 10_000_000),
  /** The most rounds of a phase, even if it is shorter than requested. */
  maxRounds: whole(1, 1000),
  /** A directory on each metadata target, and the ranks' directories below them in turn. */
  spread: flag(),
  /** All arms at the same time, on disjoint clients. Otherwise all clients work on one arm after the other, as in the blog. */
  simultaneous: flag(),
});
export type MetadataParameters = z.infer<typeof metadataParameters>;

export const publishedParameters = z.strictObject({
  /** The blog's are `files`. */
  operations: choice(OPERATIONS),
  filesPerRank: whole(1, 10_000_000),
  iterations: whole(1, 100_000),
  iorVersion: choice(IOR_VERSIONS),
  ranksPerClient: whole(1, 1024),
});
export type PublishedMetadataParameters = z.infer<typeof publishedParameters>;

const AT_SCALE = {
  published: { repeats: 3, seconds: 300 },
  smoke: { repeats: 2, seconds: 60, roundSeconds: 20 },
  lab: { fileBytes: [0, 4096], repeats: 5, seconds: 1, filesPerRank: 1000, maxRounds: 3, spread: false },
} satisfies Record<PlanScale, Partial<MetadataParameters>>;

/** Current practice; in the lab, sized for a coffee break. */
export const metadataDefaults = (scale: PlanScale, ranksPerClient: number): MetadataParameters => ({
  fileBytes: [0],
  operations: 'files',
  phases: PHASES.join(','),
  tool: FILES_TOOLS[0],
  iorVersion: '3.3.0',
  ranksPerClient,
  filesPerRank: null,
  roundSeconds: 100,
  modelScale: 1,
  filesPerDirectory: 50_000,
  maxRounds: 20,
  spread: true,
  simultaneous: false,
  ...AT_SCALE[scale],
});

/** The blog: 4,000 files a rank, three iterations, the file system's own layout. */
export const publishedDefaults = (scale: PlanScale, ranksPerClient: number): PublishedMetadataParameters => ({
  operations: 'files',
  filesPerRank: scale === 'lab' ? 1000 : 4000,
  iterations: 3,
  iorVersion: '3.3.0',
  ranksPerClient,
});
