// What describe-node says of a Lustre client: versions, parameters, and layout and inactive targets of each arm.

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
  // Its status says nothing (it is 0 with an inactive target), and what is wrong stands on stderr: all lines are read.
  const check = await output(['lfs', 'check', 'servers'], { evenIfFailed: true, withErrors: true });
  const found = {};
  for (const [name, { mountPoint, source, type }] of Object.entries(mounts)) {
    if (type !== 'lustre') continue;
    const layout = await output(['lfs', 'getstripe', '-d', mountPoint]);
    const device = new RegExp(`(^|')${parseSource(source)?.fileSystem}-`);
    const inactive =
      check
        ?.split('\n')
        .map((line) => line.trim())
        .filter((line) => device.test(line) && !line.endsWith(' active.')) ?? null;
    found[name] = { layout, inactive };
  }
  return found;
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
