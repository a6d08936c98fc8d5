import { type Mount, mountAbove, readMounts } from '../common/mounts';
import { lustreFilesystem } from '../storage/common/lustre';
import { parseLustreSource } from '../storage/common/lustreSource';
import { Refusal } from '../storage/lustre/state';

/** A directory that a user named, and what it is for. */
export interface NamedDirectory {
  /** `--recompress` */
  readonly option: string;
  readonly directory: string;
  /** The next step where the file system is not mounted there. */
  readonly elsewhere: string;
}

/**
 * Refuses a directory that is not on a mount of the file system on this machine: one file system would be changed, and the files of
 * another rewritten or measured.
 */
export function checkMounted(
  { option, directory, elsewhere }: NamedDirectory,
  { fileSystemId, mountName }: { readonly fileSystemId: string; readonly mountName: string },
  mounts: readonly Mount[] = readMounts(),
): void {
  if (!directory.startsWith('/')) throw new Refusal(`'${option}' must begin with /, got ${directory}`);
  const mount = mountAbove(directory, mounts);
  const source = mount?.type === lustreFilesystem.type ? mount.device : undefined;
  if (source === undefined)
    throw new Refusal(
      `'${option}' must be on a mount of ${fileSystemId} on this machine, got ${directory}: ${elsewhere}`,
    );
  if (parseLustreSource(source)?.fileSystem !== mountName)
    throw new Refusal(
      `'${option}' must be on ${fileSystemId}, whose mount name is ${mountName}, got ${directory} on ${source}: ${elsewhere}`,
    );
}
