import { Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { describeGiven } from '../../../common/violation';
import type { LustreConfiguration } from '../../../storage/lustre/configuration';
import { metadataIopsOf } from '../../../storage/lustre/documented';
import { unresolvedTokenMessage } from '../../later';
import { PublishingLustre } from './metrics';
import { refuseTokens } from './ports';

/** A file system that exists already. */
export interface LustreFileSystemAttributes {
  /** Id such as `fs-0123456789abcdef0`. */
  readonly fileSystemId: string;
  /** Configuration, for the documented ceilings on graphs and for which metrics it publishes. @default - not known */
  readonly configuration?: LustreConfiguration;
  /** Metadata IOPS provisioned, in operations per second; `null` without a metadata configuration. @default - those of `configuration` */
  readonly metadataIops?: number | null;
}

/** A file system that exists already, for its metrics. */
export class ForeignLustre extends PublishingLustre {
  readonly fileSystemId: string;
  readonly configuration?: LustreConfiguration;
  readonly metadataIops?: number | null;

  constructor(scope: Construct, id: string, props: LustreFileSystemAttributes) {
    super(scope, id);
    const { fileSystemId, configuration } = props;
    const { metadataIops = configuration && metadataIopsOf(configuration) } = props;
    if (!Token.isUnresolved(fileSystemId) && !/^fs-[0-9a-f]{8,}$/.test(fileSystemId))
      throw new Error(`'fileSystemId' must be fs- and 8 or more hexadecimal digits, got ${fileSystemId}`);
    if (Token.isUnresolved(metadataIops)) throw new Error(unresolvedTokenMessage('metadataIops'));
    if (configuration !== undefined) refuseTokens(configuration);
    if (metadataIops != null && !(Number.isInteger(metadataIops) && metadataIops > 0))
      throw new Error(
        `'metadataIops' must be a whole number above 0, or null without a metadata configuration, got ${describeGiven(metadataIops)}`,
      );
    this.fileSystemId = fileSystemId;
    this.configuration = configuration;
    this.metadataIops = metadataIops;
  }
}
