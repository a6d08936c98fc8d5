import { unless } from '../../common/violation';
import type { WatchStack } from '../storage';
import { isMetadataIops, METADATA_IOPS_ALLOWED } from './documented';

/** The stack of a dashboard and alarms for any file system of the account. */
export const lustreWatch: WatchStack = {
  stack: 'LustreDashboard',
  asked: ({ fileSystemId, metadataIops, alarmEmail, kmsKeyArn }) => {
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
