import type { RunSummary } from '../../analysis/summary';
import { duration, NO_VALUE, plain, usd } from '../../common/format/units';
import type { Manifest } from '../../schema/run';
import { isLocal } from '../../store/platform';
import { costSentence } from '../answers';
import {
  armColumn,
  type Block,
  column,
  details,
  facts,
  heading,
  line,
  number,
  quantity,
  remark,
  tableOf,
  text,
} from '../blocks';
import type { Section } from './section';

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
        ['Clients', describeClient(run, fleet)],
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
      ...manifest.arms.map(({ name, describe }) => {
        const code = JSON.stringify(describe, null, 2);
        return (
          describe !== null &&
          details(line`How the service describes ${{ arm: name }}`, { kind: 'code', language: 'json', code })
        );
      }),
      heading('Cost'),
      text(costSentence(run)),
      !run.lab && remark('Not included: set-up, idle hours, storage of results and data transfer.'),
      stack?.priceBasis !== undefined && remark(`At ${stack.priceBasis}.`),
      run.cost.lines.length > 0 && !isLocal(run.place) && costTable(run),
      armCosts(run),
    ];
  },
};

/** Describes the clients that measured: in the lab, processes of one computer in place of a fleet. */
function describeClient(
  { lab, record: { plan } }: RunSummary,
  { clients, instanceType, machines }: Manifest['fleet'],
): string {
  const type = instanceType === null ? '' : ` × ${instanceType}`;
  if (machines !== undefined) return `${machines.names.join(', ')}${type}`;
  if (clients.length === 0) return `this computer${type}`;
  const there = plan?.fleet.clients ?? 1;
  if (!lab) return `${clients.length}${type}`;
  return `this computer${there > 1 ? `, as ${there} clients,` : ''} in place of ${clients.length}${type}`;
}

function armTable({ record: { manifest } }: RunSummary): Block {
  const arms = manifest?.arms ?? [];
  const hasSubstitutes = arms.some(({ actually, description }) => actually !== null && actually !== description);
  return tableOf(arms, { caption: 'The arms as deployed', captionHidden: true }, [
    column('Arm', ({ name }) => ({ arm: name })),
    column('Configuration', ({ description }) => description),
    hasSubstitutes && column('Ran on', ({ actually }) => actually ?? ''),
    column('Id', ({ fileSystemId }) => (fileSystemId === null ? NO_VALUE : { id: fileSystemId })),
  ]);
}

/** Cost of moving data: at the price of each arm, with its share of the clients. */
function armCosts({ analysis: { costs } }: RunSummary): Block | null {
  if (costs.every(({ perTerabyteUsd }) => perTerabyteUsd === null)) return null;
  const caption = 'Cost of moving data: each file system and its share of the clients, during the measured phases only';
  return tableOf(costs, { caption }, [
    armColumn(),
    number('Per hour', ({ hourlyUsd }) => hourlyUsd, usd),
    number('The whole run', ({ runUsd }) => runUsd, usd),
    number('Measured', ({ measuredHours }) => (measuredHours === null ? null : measuredHours * 3600), duration),
    number(
      'Moved',
      ({ terabytes }) => terabytes,
      (value) => (value === null ? NO_VALUE : `${plain(value)} TB`),
    ),
    number('Per TB', ({ perTerabyteUsd, reason }) => quantity(perTerabyteUsd, usd, { reason })),
  ]);
}

function costTable({ cost: { lines, ...all }, lab }: RunSummary): Block {
  const items = [...lines, { item: 'All', ...all, reason: 'a price is missing' }];
  return tableOf(items, { caption: 'List prices', captionHidden: true }, [
    column('Item', ({ item }) => item),
    number('Per hour', ({ hourlyUsd, reason }) => quantity(hourlyUsd, usd, { reason: reason ?? null })),
    number(lab ? 'The run, if on AWS' : 'The run', ({ runUsd }) => runUsd, usd),
  ]);
}
