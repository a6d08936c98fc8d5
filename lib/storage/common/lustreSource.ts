/** Parts of what the kernel shows for a mounted Lustre. */
export interface LustreSource {
  /** Name of the file system; on FSx the mount name. */
  readonly fileSystem: string;
  /** Folder of the file system that is mounted, such as `/projects`; empty if all of it is. */
  readonly folder: string;
  /** Servers, such as `10.0.0.15@tcp`, in the source's order. */
  readonly nids: readonly string[];
}

/**
 * Parts of a source `NID[,NID…][:NID…]:/fsname[/folder]` (mount.lustre(8)), or `null` if it is not one of a Lustre client.
 * assets/storage/lustre/source.mjs has the same for the clients' scripts; test/fixtures/lustre/sources.json has the cases of both.
 */
export function parseLustreSource(source: string): LustreSource | null {
  const [, servers = '', fileSystem, folder = ''] = /^([^/]+):\/+([\w-]+)((?:\/[\s\S]*)?)$/.exec(source) ?? [];
  // IPv6 addresses have colons as well: one between servers comes after a network.
  const nids = servers.split(/,|(?<=@\w+):/).map((nid) => (nid.includes('@') ? nid : `${nid}@tcp`));
  if (fileSystem === undefined || nids.some((nid) => !/^[^@]+@\w+$/.test(nid))) return null;
  const names = folder.split('/').filter((name) => name !== '');
  return { fileSystem, folder: names.map((name) => `/${name}`).join(''), nids };
}
