// describe-node's part on a Lustre client: versions, parameters, and layout and inactive targets of each arm.

import { parseSource } from './source.mjs';

const PARAMETERS = [
  'osc.*OST*.max_rpcs_in_flight',
  'osc.*OST*.max_dirty_mb',
  'osc.*OST*.max_pages_per_rpc',
  'osc.*OST*.checksums',
  'mdc.*.max_rpcs_in_flight',
  'mdc.*.max_mod_rpcs_in_flight',
  'ldlm.namespaces.*.lru_size',
  'ldlm.namespaces.*.lru_max_age',
  'llite.*.max_read_ahead_mb',
  'llite.*.max_cached_mb',
  'llite.*.statahead_max',
];

/** Describes the client and each of its mounts. */
export async function describe({ output, firstLine, notice, mounts }) {
  const lfs = firstLine(await output(['lfs', '--version']));
  if (lfs === null) return { facts: { lustre: null }, arms: {} };
  const text = await output(['lctl', 'get_param', ...PARAMETERS], { evenIfFailed: true, noticeErrors: true });
  if (process.getuid() !== 0)
    notice('not asked as root: lctl does not find parameters that lie in debugfs, such as llite.*.max_cached_mb');
  const lctl = firstLine(await output(['lctl', '--version']));
  return {
    facts: { lustre: { lfs, lctl }, parameters: parseParameters(text ?? '') },
    arms: await armsOf(mounts, output),
  };
}

async function armsOf(mounts, output) {
  // All lines are read: the status is 0 even with an inactive target, and errors are on stderr.
  const check = await output(['lfs', 'check', 'servers'], { evenIfFailed: true, withErrors: true });
  const found = {};
  for (const [name, { mountPoint, source, type }] of Object.entries(mounts)) {
    if (type !== 'lustre') continue;
    const layout = await output(['lfs', 'getstripe', '-d', mountPoint]);
    const fileSystem = parseSource(source)?.fileSystem;
    const device = new RegExp(`(^|')${fileSystem}-`);
    const inactive =
      check
        ?.split('\n')
        .map((line) => line.trim())
        .filter((line) => device.test(line) && !line.endsWith(' active.')) ?? null;
    found[name] = { layout, inactive, ...(await targetsOf(fileSystem, output)) };
  }
  return found;
}

/** Number of the object and metadata targets that this client knows of a file system, and the version of its servers. */
async function targetsOf(fileSystem, output) {
  if (fileSystem === undefined) return {};
  const imports = [`osc.${fileSystem}-OST*-osc-*.import`, `mdc.${fileSystem}-MDT*-mdc-*.import`];
  const text = (await output(['lctl', 'get_param', ...imports], { evenIfFailed: true })) ?? '';
  // A name that ends in an MDT is a server's connection.
  const targets = [...text.matchAll(/^(?:osc|mdc)\.(\S+-(OST|MDT)[0-9a-f]{4})-(?:osc|mdc)-(?!MDT)\S+\.import=/gm)];
  if (targets.length === 0) return {};
  const count = (kind) => new Set(targets.filter((each) => each[2] === kind).map((each) => each[1])).size;
  const versions = new Set([...text.matchAll(/target_version: (\S+)/g)].map((each) => each[1]));
  return { version: [...versions].join(', '), objectTargets: count('OST'), metadataTargets: count('MDT') };
}

/** `name=value` lines; a value that spans lines (`max_cached_mb=` and a list) is joined with `; `. */
function parseParameters(text) {
  const found = {};
  let name = null;
  for (const line of text.split('\n')) {
    const [, key, value] = /^([a-z]+(?:\.[^=\s]+)+)=(.*)$/.exec(line) ?? [];
    if (key) {
      name = key;
      found[name] = value;
    } else if (name && line.trim() !== '') {
      found[name] = [found[name], line.trim()].filter((part) => part !== '').join('; ');
    }
  }
  return found;
}
