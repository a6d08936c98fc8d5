import type { FileRules } from '../../../schema/fileRules';
import type { Severity } from '../../../schema/issue';

/** A problem of a command line: what, why it matters, and what to type instead. */
export interface LintFinding {
  /** Stable, kebab-case: users filter on it. */
  readonly id: string;
  /** `error`: the figures would be misleading, or the command fails. */
  readonly severity: Severity;
  readonly message: string;
  /** A command without this problem, or what to do; `null` if only the user can know. */
  readonly suggestion: string | null;
  /** Line of the command in a script. @default - there is one line */
  readonly line?: number;
  /** True if the user allowed it. @default false */
  readonly allowed?: boolean;
}

/** The document that `fsxbench lint --json` prints. */
export interface LintDocument {
  readonly schema: 'fsxbench.lint/1';
  readonly command: string;
  readonly findings: readonly LintFinding[];
  /** The whole input with every suggestion in it that is a command; `null` where there is none. */
  readonly better: string | null;
}

/** Context of a command. A rule that needs unknown context stays silent, or says in which case it applies. */
export interface LintContext {
  /** Version of IOR and mdtest, such as `3.3.0`. */
  readonly iorVersion?: string;
  /** Number of machines that the command runs on. */
  readonly clients?: number;
  /** CPUs per machine. */
  readonly cpus?: number;
  /** Memory per machine, bytes. */
  readonly clientMemoryBytes?: number;
  /** Total memory of all file servers for caching data, bytes. */
  readonly serverMemoryBytes?: number;
  /** True if the file system compresses. @default - unknown, and assumed */
  readonly compresses?: boolean;
  /** Differences of the storage from POSIX. @default - none */
  readonly files?: FileRules;
  /** Stripe count of the directory; -1 is every target. */
  readonly stripeCount?: number;
  /** File creations per second that the storage documents. */
  readonly createsPerSecond?: number;
  /** User who runs the command. */
  readonly user?: string;
  /** True if the caller repeats the command. @default false */
  readonly repeated?: boolean;
}
