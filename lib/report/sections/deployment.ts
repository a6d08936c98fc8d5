import { type RunSummary, secondsBetween } from '../../analysis/summary';
import { compressibilityLabel } from '../../common/format/text';
import { bytes, counted, duration, NO_VALUE, plain, usd } from '../../common/format/units';
import { runTime } from '../../plan/runTime';
import type { ClientSetting, NodeEnvironment } from '../../schema/environment';
import type { Step } from '../../schema/plan';
import type { Manifest } from '../../schema/run';
import { isLocal } from '../../store/place';
import type { RunRecord } from '../../store/record';
import { idleWords } from '../answers';
import { type Block, columns, details, facts, heading, line, numbers, quantity, remark, table, text } from '../blocks';
import type { Section } from './section';

/** The arms and their cost. */
export const deployment: Section = {
  id: 'deployment',
  title: 'What was deployed, and what it cost',
  blocks(run) {
    const { manifest } = run.record;
    if (manifest === null) return [];
    const { fleet, stack } = manifest;
    const clients = fleet.clients.length;
    return [
      armTable(run),
      facts([
        ['Clients', clientWords(run, fleet)],
        ['Image', fleet.image],
        ['Region', manifest.region],
        ['Stack', stack === null ? null : stack.name],
        ['Results bucket', manifest.bucket],
        ['Dashboard', manifest.dashboard],
        ['Metrics', `one point every ${duration(manifest.metricsPeriodSeconds ?? null)}`],
      ]),
      clients > 0 &&
        !run.lab &&
        details('Clients', {
          kind: 'list',
          style: 'plain',
          items: fleet.clients.map(({ instanceId, privateIp }) => line`${{ code: instanceId }} ${privateIp}`),
        }),
      ...manifest.arms.map(
        ({ name, describe }) =>
          describe !== null &&
          details(line`How the service describes ${{ arm: name }}`, {
            kind: 'code',
            language: 'json',
            code: JSON.stringify(describe, null, 2),
          }),
      ),
      heading('Cost'),
      text(cost(run)),
      stack?.priceBasis !== undefined && remark(`At ${stack.priceBasis}.`),
      run.cost.lines.length > 0 && !isLocal(run.place) && costTable(run),
      armCosts(run),
    ];
  },
};

/** Describes the clients that measured: in the lab, processes of one machine in place of a fleet. */
function clientWords(
  { lab, record: { plan } }: RunSummary,
  { clients, instanceType, machines }: Manifest['fleet'],
): string {
  const type = instanceType === null ? '' : ` × ${instanceType}`;
  if (machines !== undefined) return `${machines.names.join(', ')}${type}`;
  if (clients.length === 0) return `this machine${type}`;
  const there = plan?.fleet.clients ?? 1;
  if (!lab) return `${clients.length}${type}`;
  return `this machine${there > 1 ? `, as ${there} clients,` : ''} in the place of ${clients.length}${type}`;
}

function armTable({ record: { manifest } }: RunSummary): Block {
  const arms = manifest?.arms ?? [];
  const hasStandIns = arms.some(({ actually, description }) => actually !== null && actually !== description);
  return table({
    caption: 'The arms as deployed',
    captionHidden: true,
    columns: columns('Arm', 'Configuration', ...(hasStandIns ? ['Really'] : []), 'Id'),
    rows: arms.map((arm) => [
      { arm: arm.name },
      arm.description,
      ...(hasStandIns ? [arm.actually ?? ''] : []),
      arm.fileSystemId === null ? NO_VALUE : { id: arm.fileSystemId },
    ]),
  });
}

/** Returns the cost of a run on AWS; for any other run, the list price of the same deployment. */
function cost({ record: { elsewhere }, lab, cost: { hourlyUsd, runUsd, hours, lines, ...idle } }: RunSummary): string {
  if (elsewhere?.costSentence) return elsewhere.costSentence;
  const unknown = lines.filter((one) => one.hourlyUsd === null).length;
  if (lab) {
    const price = hourlyUsd === null ? 'has no complete list price' : `lists at ${usd(hourlyUsd)} an hour`;
    return `Nothing. On AWS this deployment ${price}.`;
  }
  if (hourlyUsd === null) return `Not known as a whole: ${unknown} of ${lines.length} prices are missing.`;
  if (hours === null || runUsd === null)
    return `${usd(hourlyUsd)} an hour at list price; how long the run took is not known.`;
  return `${usd(runUsd)} at list price for the ${duration(hours * 3600)} of the run, at ${usd(hourlyUsd)} an hour.${idleWords(idle)} Set-up, idle hours, storage of results and traffic come on top.`;
}

/** Cost of moving data: at the price of each arm, with its share of the clients. */
function armCosts({ analysis: { costs } }: RunSummary): Block | null {
  if (costs.every(({ perTerabyteUsd }) => perTerabyteUsd === null)) return null;
  return table({
    caption: 'What moving data cost: file system and its share of the clients, over the measured phases alone',
    columns: [...columns('Arm'), ...numbers('Per hour', 'The whole run', 'Measured', 'Moved', 'Per TB')],
    rows: costs.map(({ arm, hourlyUsd, runUsd, measuredHours, terabytes, perTerabyteUsd, reason }) => [
      { arm },
      quantity(hourlyUsd, usd),
      quantity(runUsd, usd),
      quantity(measuredHours === null ? null : measuredHours * 3600, duration),
      quantity(terabytes, (value) => (value === null ? NO_VALUE : `${plain(value)} TB`)),
      quantity(perTerabyteUsd, usd, { reason }),
    ]),
  });
}

function costTable({ cost: { lines, ...all }, lab }: RunSummary): Block {
  return table({
    caption: 'List prices',
    captionHidden: true,
    columns: [...columns('Item'), ...numbers('Per hour', lab ? 'The run, had it been on AWS' : 'The run')],
    rows: [...lines, { item: 'All', ...all, reason: 'a price is missing' }].map(
      ({ item, hourlyUsd, runUsd, reason }) => [
        item,
        quantity(hourlyUsd, usd, { reason: reason ?? null }),
        quantity(runUsd, usd),
      ],
    ),
  });
}

/** The planned steps and their outcome. */
export const plan: Section = {
  id: 'plan',
  title: 'The plan',
  blocks(run) {
    const { plan: made } = run.record;
    if (made === null) return [];
    const { totals, fleet, steps } = made;
    const done = run.steps.filter(({ state }) => state === 'done').length;
    return [
      facts([
        ['Steps', `${done} of ${steps.length} done`],
        ['Clients', `${fleet.clients} with ${counted(fleet.ranksPerClient, 'rank')} each`],
        ['Expected', duration(totals.expectedSeconds)],
        ['Took', run.seconds === null ? null : duration(run.seconds)],
        ...measuring(run, made.steps),
        ['Writes at most', totals.bytesWritten ? bytes(totals.bytesWritten) : null],
        ['Reads at most', totals.bytesRead ? bytes(totals.bytesRead) : null],
        ...Object.entries(made.parameters).map(
          ([name, value]) => [{ code: name }, Array.isArray(value) ? value.join(', ') : String(value)] as const,
        ),
      ]),
      details(`Every step (${steps.length})`, stepTable(run)),
      details('Every command', commands(steps)),
    ];
  },
};

/** The measured share of a run's time, and the purposes of the rest. */
function measuring({ steps, seconds }: RunSummary, planned: readonly Step[]): (readonly [string, string])[] {
  if (seconds === null) return [];
  const taken = new Map(steps.map(({ id, startedAt, endedAt }) => [id, secondsBetween(startedAt, endedAt)]));
  const { measuredSeconds, perMeasured, others } = runTime(planned, ({ id }) => taken.get(id) ?? null, seconds);
  if (perMeasured === null) return [];
  const rest = others.map((one) => `${one.purpose} ${duration(one.seconds)}`);
  return [
    ['Measured', `${duration(measuredSeconds)}: ${plain(perMeasured)} minutes of run for each measured one`],
    ['The other time', rest.join(', ')],
  ];
}

function stepTable({ steps }: RunSummary): Block {
  return table({
    caption: 'Steps and what became of them',
    captionHidden: true,
    columns: [...columns('Step', 'Phase', 'Data', 'State'), ...numbers('Expected', 'Took')],
    rows: steps.map(({ id, phase, compressibility, state, attempts, expectedSeconds, startedAt, endedAt, reasons }) => [
      { id },
      phase,
      compressibility === null ? '' : compressibilityLabel(compressibility),
      [state, attempts > 1 && `, attempt ${attempts}`, reasons.length > 0 && { below: reasons.join('; ') }],
      quantity(expectedSeconds, duration),
      quantity(secondsBetween(startedAt, endedAt), duration),
    ]),
  });
}

/** Each command once, with the steps that ran it. */
function commands(steps: readonly Step[]): Block {
  const uses = new Map<string, { where: Set<string>; ranks: number }>();
  for (const { id, tasks } of steps)
    for (const { action } of tasks) {
      if (action.kind !== 'workload') continue;
      const line = action.command.join(' ');
      const use = uses.get(line) ?? { where: new Set(), ranks: action.ranksPerClient };
      use.where.add(id);
      uses.set(line, use);
    }
  if (uses.size === 0) return text('The plan runs no tool.');
  return table({
    caption:
      'Commands without their launcher; {dir} is the data directory of the step, {dirs} those of a round on all metadata targets',
    columns: [...columns('Step'), ...numbers('Ranks per client'), ...columns('Command')],
    rows: [...uses].map(([line, { where, ranks }]) => {
      const [first = '', ...others] = where;
      const more = others.length > 0 && ` and ${counted(others.length, 'more step')}`;
      return [[{ code: first }, more], quantity(ranks, String), { code: line }];
    }),
  });
}

/** The tools and the machines of the measurement. */
export const provenance: Section = {
  id: 'provenance',
  title: 'Provenance',
  blocks({ arms, record: { environment, manifest, samples } }) {
    const used = new Set(
      samples.flatMap(({ tool, toolVersion }) => (tool === null ? [] : [`${tool} ${toolVersion ?? ''}`.trim()])),
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
      ...alike(environment).flatMap(({ nodes, facts: said }) =>
        nodeFacts(
          nodes,
          said,
          arms.map(({ name }) => name),
        ),
      ),
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
  table({
    caption: `Mounts of ${node}`,
    columns: columns('Arm', 'At', 'Type', 'Servers', 'Options'),
    rows: mounts.map(([name, arm]) => [
      name,
      { code: arm.mountPoint ?? '' },
      arm.type ?? '',
      serversOf(arm),
      { code: arm.options ?? '' },
    ]),
  });

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
  table({
    caption: `Settings of ${node}: wanted and in effect`,
    columns: [...columns('Setting'), ...numbers('Wanted', 'In effect'), ...columns('Remark')],
    rows: settings.map(({ name, wanted, effective, applied, message }) => [
      { code: name },
      wanted,
      applied ? effective.join(', ') : { strong: effective.join(', ') || 'nothing' },
      [!applied && 'Differs. ', message],
    ]),
  });
