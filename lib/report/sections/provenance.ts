import { asFacts, type TuningSetting, tuningOf } from '../../analysis/tuning';
import { bytes, counted } from '../../kit/format/units';
import { groupBy } from '../../kit/groupBy';
import type { RunRecord } from '../../store/record';
import { type Block, columns, details, facts, heading, numbers, remark, table } from '../blocks';
import type { Section } from './section';

type Facts = Readonly<Record<string, unknown>>;

/** What measured, on which machines. */
export const provenance: Section = {
  id: 'provenance',
  title: 'Provenance',
  blocks({ record: { environment, manifest, samples } }) {
    const used = new Set(
      samples.flatMap(({ tool, toolVersion }) => (tool === null ? [] : [`${tool} ${toolVersion ?? ''}`.trim()])),
    );
    const tools = Object.entries(manifest?.tools ?? {}).map(([name, version]) => [name, version] as const);
    if (environment.length === 0 && tools.length === 0 && used.size === 0) return [];
    return [
      facts([['Measured with', [...used].join(', ') || null], ...tools]),
      ...alike(environment).flatMap(({ nodes, facts: said }) => nodeFacts(nodes, said)),
    ];
  },
};

/** What tells one client from the next, but says nothing of how it measures. */
const OWN = new Set(['node', 'at', 'instance', 'parameters']);

/** Clients that say the same of themselves, in the order of the first of each kind. */
function alike(environment: RunRecord['environment']): { nodes: string[]; facts: Facts }[] {
  const groups = groupBy(environment, ({ facts: said }) =>
    JSON.stringify(said, (key, value) =>
      OWN.has(key) ? (key === 'instance' ? asFacts(value).type : undefined) : value,
    ),
  );
  return [...groups.values()].map((group) => ({
    nodes: group.map(({ node }) => node),
    facts: group[0]?.facts ?? {},
  }));
}

/** What a node said of itself, and others like it: the essential in sight, all of it below. */
function nodeFacts([node = '', ...others]: readonly string[], said: Facts): Block[] {
  const { os, instance, lustre, tools, arms } = said;
  const essential: [string, unknown][] = [
    ['Problem', said.reason],
    ['System', asFacts(os).name],
    ['Kernel', said.kernel],
    ['Instance', together(' ', asFacts(instance).type, asFacts(instance).id)],
    ['Zone', asFacts(instance).availabilityZone],
    ['Processors', together(' × ', said.cpus, said.cpuModel)],
    ['Memory', typeof said.memoryBytes === 'number' ? bytes(said.memoryBytes) : null],
    ['Lustre', asFacts(lustre).lctl ?? asFacts(lustre).lfs],
    ...Object.entries(asFacts(tools)),
  ];
  const notices = Array.isArray(said.notices) ? said.notices.filter(isText) : [];
  const mounts = Object.entries(asFacts(arms)).map(([name, mount]) => [name, asFacts(mount)] as const);
  const settings = tuningOf(said);
  return [
    heading(node),
    ...alsoAlike(others),
    facts(essential.map(([name, value]) => [name, isText(value) ? String(value) : null] as const)),
    ...(mounts.length > 0 ? [mountTable(node, mounts)] : []),
    ...(settings.length > 0 ? [tuningTable(node, settings)] : []),
    ...(notices.length > 0 ? [{ kind: 'list', style: 'issues soft', items: notices.map(String) } as const] : []),
    details(`All that ${node} said of itself`, {
      ...{ kind: 'code', language: 'json' },
      code: JSON.stringify(said, null, 2),
    }),
  ];
}

/** More names than these are looked up when they are asked for. */
const NAMED = 8;

function alsoAlike(others: readonly string[]): Block[] {
  if (others.length === 0) return [];
  const words = `And ${counted(others.length, 'more client')} that ${others.length === 1 ? 'is' : 'are'} the same`;
  const names = others.join(', ');
  return [others.length > NAMED ? details(words, remark(names)) : remark(`${words}: ${names}.`)];
}

function isText(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean';
}

function together(separator: string, ...values: readonly unknown[]): string {
  return values.filter(isText).map(String).join(separator);
}

function mountTable(node: string, mounts: readonly (readonly [string, Facts])[]): Block {
  return table({
    caption: `Mounts of ${node}`,
    columns: columns('Arm', 'At', 'Type', 'Options'),
    rows: mounts.map(([name, { mountPoint, type, options }]) => [
      name,
      { code: String(mountPoint ?? '') },
      String(type ?? ''),
      { code: String(options ?? '') },
    ]),
  });
}

function tuningTable(node: string, settings: readonly TuningSetting[]): Block {
  return table({
    caption: `Settings of ${node}: wanted and in effect`,
    columns: [...columns('Setting'), ...numbers('Wanted', 'In effect'), ...columns('Remark')],
    rows: settings.map(({ name, wanted, effective, applied, message }) => [
      { code: name },
      wanted,
      applied ? effective : { strong: effective || 'nothing' },
      [!applied && 'Differs. ', message],
    ]),
  });
}
