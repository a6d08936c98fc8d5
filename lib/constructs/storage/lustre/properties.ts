import { ArnFormat, Stack } from 'aws-cdk-lib';
import type * as fsx from 'aws-cdk-lib/aws-fsx';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type { LustreConfiguration } from '../../../storage/lustre/configuration';
import { isLinked } from '../../../storage/lustre/rule/repositories';
import { isScratch } from '../../../storage/lustre/rule/type';

/** The properties of a configuration as CloudFormation has them. @param logGroup gets the events, if they are logged */
export function lustreProperties(
  configuration: LustreConfiguration,
  logGroup: logs.ILogGroup | undefined,
): fsx.CfnFileSystem.LustreConfigurationProperty {
  const { metadata, backups, s3Link, dataReadCache, logLevel } = configuration;
  return {
    deploymentType: configuration.deploymentType,
    perUnitStorageThroughput: configuration.perUnitStorageThroughput,
    throughputCapacity: configuration.throughputCapacity,
    dataCompressionType: configuration.dataCompressionType ?? 'NONE',
    metadataConfiguration: metadata && {
      mode: metadata.mode,
      iops: metadata.mode === 'USER_PROVISIONED' ? metadata.iops : undefined,
    },
    // Left out rather than false: the property belongs to PERSISTENT_2.
    efaEnabled: configuration.efaEnabled || undefined,
    driveCacheType: configuration.driveCacheType,
    dataReadCacheConfiguration: dataReadCache && {
      sizingMode: dataReadCache.sizingMode,
      sizeGiB: dataReadCache.sizingMode === 'USER_PROVISIONED' ? dataReadCache.sizeGiB : undefined,
    },
    importPath: s3Link?.importPath,
    exportPath: s3Link?.exportPath,
    autoImportPolicy: s3Link?.autoImportPolicy,
    importedFileChunkSize: s3Link?.importedFileChunkSizeMiB,
    automaticBackupRetentionDays: backupDays(configuration),
    dailyAutomaticBackupStartTime: backups?.dailyStartTime,
    copyTagsToBackups: backups?.copyTags,
    weeklyMaintenanceStartTime: configuration.weeklyMaintenanceStartTime,
    logConfiguration:
      logLevel === undefined ? undefined : { level: logLevel, destination: logGroup && destinationOf(logGroup) },
  };
}

/** 0 where backups are possible and not wanted: AWS's pages name both 0 and 30 days as what the service would choose. */
function backupDays(configuration: LustreConfiguration): number | undefined {
  if (isScratch(configuration.deploymentType) || isLinked(configuration)) return undefined;
  return configuration.backups?.retentionDays ?? 0;
}

/** The ARN of the group itself; its attribute `Arn` means the streams in it and ends in `:*`. */
const destinationOf = (logGroup: logs.ILogGroup): string =>
  Stack.of(logGroup).formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: logGroup.logGroupName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
