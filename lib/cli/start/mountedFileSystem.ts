import { explain } from '../../common/aws/explain';
import type { Mount } from '../../common/mounts';
import type { Described } from '../../schema/run';
import type { StorageConfiguration } from '../../schema/storage';
import { storageOf } from '../../storage/lookup';
import { LOCAL_KIND, STORAGES } from '../../storage/registry';
import type { CliContext } from '../context';
import { configurationAs } from '../input/configurationOptions';

/** Configuration of a mounted file system, and its origin. */
export interface MountedFileSystem {
  readonly configuration: StorageConfiguration;
  readonly fileSystemId: string | null;
  readonly describe: Described | null;
  readonly region: string | null;
  /** Sentences for the user and the report. */
  readonly notices: readonly string[];
}

/** The configuration of a mounted file system: as the user says, as its service describes it, or unknown. @throws UsageError for an `as` that describes none */
export async function configurationOn(
  context: CliContext,
  mount: Mount | undefined,
  as: string | undefined,
): Promise<MountedFileSystem> {
  if (as !== undefined) {
    const configuration = configurationAs(as);
    const [{ type }] = storageOf(configuration).client.filesystems;
    const other = mount !== undefined && mount.type !== type;
    const notices = [
      `This run compares with what is documented for ${storageOf(configuration).configuration.describe(configuration)}, as --as said; nobody verified that.`,
      ...(other
        ? [
            `However, ${mount.device} is mounted with type ${mount.type}, not ${type}: this is another file system than --as said.`,
          ]
        : []),
    ];
    return { configuration, fileSystemId: null, describe: null, region: regionOf(context), notices };
  }
  const found = mount === undefined ? null : await identify(context, mount);
  if (found !== null && typeof found !== 'string') return found;
  const say = 'Say what it is to compare it with what is documented: --as lustre:PERSISTENT_2:500,12TiB';
  return {
    configuration: { kind: LOCAL_KIND },
    fileSystemId: null,
    describe: null,
    region: null,
    notices: [
      found === null
        ? `Nothing is documented for ${mount === undefined ? 'this directory' : `${mount.type} on ${mount.device}`}, so no limit of it is known. ${say}.`
        : `${found}, so its documented limits are not known. ${say}.`,
    ],
  };
}

const regionOf = ({ environment }: CliContext): string | null => environment.AWS_REGION ?? null;

/** Asks its service about a mounted file system. Returns the reason if the service does not answer; `null` for one that no service has. */
async function identify(context: CliContext, mount: Mount): Promise<MountedFileSystem | string | null> {
  for (const storage of STORAGES) {
    if (storage.account.identify === undefined || storage.account.describeAll === undefined) continue;
    try {
      const id = await storage.account.identify(mount);
      if (id === null) continue;
      const describe = (await storage.account.describeAll([id])).get(id) ?? null;
      const configuration = storage.account.fromDescription(describe);
      if (configuration === null) return `${storage.label} did not describe ${id}`;
      const notices = [`${mount.mountPoint} is ${id}: ${storage.configuration.describe(configuration)}.`];
      return { configuration, fileSystemId: id, describe, region: regionOf(context), notices };
    } catch (error) {
      return `${storage.label} could not be asked what ${mount.device} is (${explain(error)})`;
    }
  }
  return null;
}
