import type { Breach } from '../common/breach';
import type { Dashboard } from '../dashboard/graph';

export interface WatchedFileSystem {
  readonly fileSystemId: string;
  /** @default - not known */
  readonly metadataIops?: number;
  /** Gets every alarm once its owner has confirmed. @default - nobody */
  readonly alarmEmail?: string;
  /** ARN of the account's key for the topic. @default - that of AWS */
  readonly operationsKey?: string;
}

/** Alarms and variables of a deployed dashboard. */
export interface BodyFacts {
  /** ARNs, or names in a template. */
  readonly alarms: readonly string[];
  /** Default values of the variables by their ids. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A stack that watches a file system which somebody else made. */
export interface WatchStack {
  /** Name of the stack, and of its section in the context. */
  readonly stack: string;
  /** Reads the settings of that section, with their errors; `null` where they name no file system. */
  asked(
    settings: Readonly<Record<string, unknown>>,
  ): { readonly watched: WatchedFileSystem; readonly errors: readonly Breach[] } | null;
  /** Its dashboard, from the alarms and the default values of the variables of a deployed one; `null` for that of another stack. */
  dashboard(deployed: BodyFacts, region: string): Dashboard | null;
}
