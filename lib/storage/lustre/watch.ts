import { unless, type Violation } from '../../common/violation';
import { isMetadataIops, METADATA_IOPS_ALLOWED } from './documented';

export interface WatchedFileSystem {
  readonly fileSystemId: string;
  /** @default - not known */
  readonly metadataIops?: number;
  /** E-mail address, which must be confirmed, or ARN of a topic. @default - nobody is notified */
  readonly alarmEmail?: string;
  /** ARN of the account's key for the topic. @default - that of AWS */
  readonly kmsKeyArn?: string;
}

/** The stack of a dashboard and alarms for any file system of the account. */
export const lustreWatch = {
  /** Name of the stack, and of its section in the context. */
  stack: 'LustreDashboard' as const,
  /** Reads the settings of that section, with their errors; `null` where they name no file system. */
  asked(
    settings: Readonly<Record<string, unknown>>,
  ): { readonly watched: WatchedFileSystem; readonly errors: readonly Violation[] } | null {
    const { fileSystemId, metadataIops, alarmEmail, kmsKeyArn } = settings;
    if (typeof fileSystemId !== 'string') return null;
    const iops = typeof metadataIops === 'number' ? metadataIops : undefined;
    const email = typeof alarmEmail === 'string' ? alarmEmail : undefined;
    const key = typeof kmsKeyArn === 'string' ? kmsKeyArn : undefined;
    const next = `It is what the file system ${fileSystemId} has: aws fsx describe-file-systems`;
    return {
      watched: { fileSystemId, metadataIops: iops, alarmEmail: email, kmsKeyArn: key },
      errors: unless(iops === undefined || isMetadataIops(iops), 'metadataIops', METADATA_IOPS_ALLOWED, iops, next),
    };
  },
};
