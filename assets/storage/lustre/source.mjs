// The parts of a mounted Lustre source in the kernel's table, `NID[,NID…][:NID…]:/fsname[/folder]` (mount.lustre(8)).
// lib/storage/common/lustre.ts has the same for TypeScript; test/fixtures/lustre/sources.json has the cases of both.
//
// usage: node source.mjs SOURCE
// stdout: FILE_SYSTEM, FOLDER (empty, or /a/b) and NIDs, each on a line · status: 0, or 1 if SOURCE is not one of a Lustre client

import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Parts of a source, or `null` if it is not one of a Lustre client. */
export function parseSource(source) {
  const [, servers = '', fileSystem, folder] = /^([^/]+):\/+([\w-]+)((?:\/[\s\S]*)?)$/.exec(source) ?? [];
  // IPv6 addresses also have colons: a colon between servers comes after a network.
  const nids = servers.split(/,|(?<=@\w+):/).map((nid) => (nid.includes('@') ? nid : `${nid}@tcp`));
  if (fileSystem === undefined || nids.some((nid) => !/^[^@]+@\w+$/.test(nid))) return null;
  const names = folder.split('/').filter((name) => name !== '');
  return { fileSystem, folder: names.map((name) => `/${name}`).join(''), nids };
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  // The table has blanks and the like as \040.
  const text = (process.argv[2] ?? '').replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(parseInt(code, 8)));
  const parts = parseSource(text);
  if (parts === null) process.exitCode = 1;
  else process.stdout.write(`${[parts.fileSystem, parts.folder, ...parts.nids].join('\n')}\n`);
}
