import type { Severity } from '../../../schema/issue';

/** What is wrong with a command line: what, why it matters, and what to type instead. */
export interface Finding {
  /** Stable, kebab-case: users filter on it. */
  readonly id: string;
  /** `error`: the figures would mean something else than they seem to, or the command fails. */
  readonly severity: Severity;
  readonly message: string;
  /** A command that does not have this fault, or what to do; `null` where only the user can know. */
  readonly suggestion: string | null;
}

/** What `fsxbench lint --json` prints. */
export interface LintDocument {
  readonly schema: 'fsxbench.lint/1';
  readonly command: string;
  readonly findings: readonly Finding[];
}

/** What is known of the surroundings of a command. A rule that needs something unknown says nothing, or says for which case it holds. */
export interface LintContext {
  /** Version of IOR and mdtest, such as `3.3.0`. */
  readonly iorVersion?: string;
  /** Machines that the command runs on. */
  readonly clients?: number;
  /** CPUs of each. */
  readonly cpus?: number;
  /** Memory of each, bytes. */
  readonly clientMemoryBytes?: number;
  /** Memory of all file servers together that caches data, bytes. */
  readonly serverMemoryBytes?: number;
  /** Compression of the file system. @default - unknown, and taken as on */
  readonly compression?: 'NONE' | 'LZ4';
  /** Stripe count of the directory; -1 is every target. */
  readonly stripeCount?: number;
  /** Metadata IOPS of the file system. */
  readonly metadataIops?: number;
  /** Who runs the command. */
  readonly user?: string;
  /** Whoever starts the command repeats it. @default false */
  readonly repeated?: boolean;
}
