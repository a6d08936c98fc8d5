import { bytes, counted } from '../../common/format/units';
import type { ClientSetting, NodeEnvironment } from '../../schema/environment';
import type { RunRecord } from '../../store/record';
import { workloadOrNone } from '../../workload/lookup';
import { type Block, column, details, facts, heading, number, remark, tableOf } from '../blocks';
import type { Section } from './section';

/** The tools and the machines of the measurement. */
export const provenance: Section = {
  id: 'provenance',
  title: 'Provenance',
  blocks({ arms, record: { environment, manifest, samples } }) {
    const used = new Set(
      samples.flatMap(({ tool, toolVersion }) =>
        tool === null ? [] : [`${workloadOrNone(tool)?.label ?? tool} ${toolVersion ?? ''}`.trim()],
      ),
    );
    const tools = Object.entries(manifest?.tools ?? {}).map(([name, version]) => [name, version] as const);
    const release = manifest?.fsxbench;
    if (environment.length === 0 && tools.length === 0 && used.size === 0 && release === undefined) return [];
    return [
      facts([
        ['fsxbench', release === undefined ? null : joinedValues(', commit ', release.version, release.commit)],
        ['Measured with', [...used].join(', ') || null],
        ...tools,
      ]),
      ...alike(environment).flatMap(({ nodes, facts: said }) => {
        const names = arms.map(({ name }) => name);
        return nodeFacts(nodes, said, names);
      }),
    ];
  },
};

/** Facts that identify a client but do not affect its measurements. */
const OWN = new Set(['node', 'at', 'instance', 'parameters']);

/** Clients that say the same of themselves, in the order of the first of each kind. */
function alike(environment: RunRecord['environment']): { nodes: string[]; facts: NodeEnvironment }[] {
  const groups = Map.groupBy(environment, ({ facts: said }) =>
    JSON.stringify(said, (key, value) => (OWN.has(key) ? (key === 'instance' ? value?.type : undefined) : value)),
  );
  return [...groups.values()].map((group) => ({ nodes: group.map(({ node }) => node), facts: group[0]?.facts ?? {} }));
}

/** Facts of a group of identical nodes: the essential ones in sight, all of them below. */
function nodeFacts([node = '', ...others]: readonly string[], said: NodeEnvironment, arms: readonly string[]): Block[] {
  const { os, instance, lustre, tuning, notices = [] } = said;
  const essential: [string, string | null | undefined][] = [
    ['Problem', said.reason],
    ['System', os?.name],
    ['Kernel', said.kernel],
    ['Instance', joinedValues(' ', instance?.type, instance?.id)],
    ['Zone', instance?.availabilityZone],
    ['Processors', joinedValues(' × ', said.cpus, said.cpuModel)],
    ['Memory', said.memoryBytes === undefined ? null : bytes(said.memoryBytes)],
    ['Lustre', lustre?.lctl ?? lustre?.lfs],
    ...Object.entries(said.tools ?? {}),
  ];
  // A client may have file systems mounted that this run did not use.
  const mounts = Object.entries(said.arms ?? {}).filter(([name]) => arms.includes(name));
  const settings = tuning?.settings ?? [];
  return [
    heading(node),
    ...identicalNodes(others),
    facts(essential.map(([name, value]) => [name, value || null] as const)),
    ...(mounts.length > 0 ? [mountTable(node, mounts)] : []),
    ...(settings.length > 0 ? [tuningTable(node, settings)] : []),
    ...(notices.length > 0 ? [{ kind: 'list', style: 'issues soft', items: notices } as const] : []),
    details(`All that ${node} said of itself`, { kind: 'code', language: 'json', code: JSON.stringify(said, null, 2) }),
  ];
}

/** More names than these are looked up when they are asked for. */
const NAMED = 8;

function identicalNodes(others: readonly string[]): Block[] {
  if (others.length === 0) return [];
  const words = `And ${counted(others.length, 'more client')} that ${others.length === 1 ? 'is' : 'are'} the same`;
  const names = others.join(', ');
  return [others.length > NAMED ? details(words, remark(names)) : remark(`${words}: ${names}.`)];
}

const joinedValues = (separator: string, ...values: readonly (string | number | false | null | undefined)[]): string =>
  values.filter((value) => value !== null && value !== undefined && value !== '' && value !== false).join(separator);

const mountTable = (node: string, mounts: readonly [string, Mounted][]): Block =>
  tableOf(mounts, { caption: `Mounts of ${node}` }, [
    column('Arm', ([name]) => name),
    column('At', ([, { mountPoint }]) => ({ code: mountPoint ?? '' })),
    column('Type', ([, { type }]) => type ?? ''),
    column('Servers', ([, mounted]) => serversOf(mounted)),
    column('Options', ([, { options }]) => ({ code: options ?? '' })),
  ]);

type Mounted = NonNullable<NodeEnvironment['arms']>[string];

/** `Lustre 2.15.8.0, 2 object and 2 metadata targets, stripe count -1`; empty for what is no Lustre. */
function serversOf({ version, objectTargets, metadataTargets, layout }: Mounted): string {
  const counts = [...(layout ?? '').matchAll(/stripe_count:\s+(-?\d+)/g)].map(([, count]) => count);
  return joinedValues(
    ', ',
    version && `Lustre ${version}`,
    objectTargets && `${objectTargets} object and ${counted(metadataTargets ?? 0, 'metadata target')}`,
    counts.length > 0 && `stripe count ${counts.join(', ')}`,
  );
}

const tuningTable = (node: string, settings: readonly ClientSetting[]): Block =>
  tableOf(settings, { caption: `Settings of ${node}: wanted and in effect` }, [
    column('Setting', ({ name }) => ({ code: name })),
    number('Wanted', ({ wanted }) => wanted),
    number('In effect', ({ effective, applied }) =>
      applied ? effective.join(', ') : { strong: effective.join(', ') || 'nothing' },
    ),
    column('Remark', ({ applied, message }) => [!applied && 'Differs. ', message]),
  ]);
