import { type Mount, mountAbove, readMounts } from '../common/mounts';
import { lustreFilesystem, parseLustreSource } from '../storage/common/lustre';
import { Refusal } from '../storage/lustre/state';
import type { CompressionType } from './compression';

/** Refuses a `--recompress` directory that is not on the file system's mount here: another file system's files would be rewritten. */
export function checkMounted(
  directory: string,
  type: CompressionType,
  { fileSystemId, mountName }: { readonly fileSystemId: string; readonly mountName: string },
  mounts: readonly Mount[] = readMounts(),
): void {
  const elsewhere = `switch without --recompress, and on a client of it run: sudo /opt/fsxbench/storage/lustre/recompress ${directory} ${type}`;
  const mount = mountAbove(directory, mounts);
  const source = mount?.type === lustreFilesystem.type ? mount.device : undefined;
  if (source === undefined)
    throw new Refusal(
      `'--recompress' must be on a mount of ${fileSystemId} on this computer, got ${directory}: ${elsewhere}`,
    );
  if (parseLustreSource(source)?.fileSystem !== mountName)
    throw new Refusal(
      `'--recompress' must be on ${fileSystemId}, whose mount name is ${mountName}, got ${directory} on ${source}: ${elsewhere}`,
    );
}
