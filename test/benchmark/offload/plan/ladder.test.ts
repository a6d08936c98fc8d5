import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { summarise } from '../../../../lib/analysis/summary';
import { offloadBench } from '../../../../lib/benchmark/offload';
import { makePlan } from '../../../../lib/plan/plan';
import { renderMarkdown } from '../../../../lib/report/markdown';
import { pointsOf } from '../../../../lib/report/study/offload/trade';
import { readRun } from '../../../../lib/store/readRun';
import { type Behaviour, healthy, localClients, memoryFolder } from '../../../run/bench';
import { driveWith } from '../../../run/driver/driveWith';

const recorded = (name: string): string =>
  readFileSync(join(__dirname, '../../../fixtures/tools', `${name}.out`), 'utf8');

const ARMS = ['off', 'gzip-6', 'client-zstd-3'];

/** A server that answers as recorded ones did, and spends 2 s of its processor on each write. */
function answering(): Behaviour {
  let seconds = 0;
  return (invocation) => {
    const words = invocation.argv.join(' ');
    if (words.includes(' rung ')) return { output: recorded('rung_raw_write') };
    if (words.includes('iperf3')) return { output: recorded('iperf3_send') };
    if (words.includes('compress-stream')) return { output: recorded('stream_zstd3') };
    if (!words.endsWith(' cpu')) return healthy(invocation);
    seconds += 2;
    return { output: `${JSON.stringify({ schema: 'fsxbench.cpu/1', seconds: { server: seconds } })}\n` };
  };
}

test('from the first step of the ladder to the figure: every layer and every arm has what was measured', async () => {
  const plan = makePlan({
    benchmark: offloadBench,
    plan: 'ladder',
    scale: 'lab',
    hourlyUsd: 0,
    fleet: { clients: 1, instanceType: null, ranksPerClient: 2 },
    arms: ARMS.map((name) => ({ name, description: name })),
    set: ['baselines=raw,raidz1,zfs', 'reads=true'],
  });
  const { config, ...clients } = localClients('/mnt');
  const servers = { command: ['ssh', 'server', 'run'], cpu: 'the server', fileSystem: 'pool/data' };
  const arms = Object.fromEntries(
    ARMS.map((name) => [name, { mountPoint: `/mnt/${name}`, filesystem: 'other', actually: 'a directory', servers }]),
  );
  const path = memoryFolder();
  writeFileSync(join(path, 'plan.json'), JSON.stringify(plan));
  await driveWith(answering(), {
    plan,
    folder: path,
    clients: { ...clients, config: { ...config, arms } },
    dataPresent: () => true,
  });
  const run = summarise(await readRun(path));
  expect(run.steps.filter(({ state }) => state !== 'done')).toEqual([]);
  const points = pointsOf(run).map(({ arm, ratio, throughputMBps, serverCpuPerGB, clientCpuPerGB }) => [
    arm,
    ...[ratio, throughputMBps, serverCpuPerGB].map(({ value }) => value !== null && value > 0),
    clientCpuPerGB.value !== null,
  ]);
  expect(points).toEqual([
    ['off', true, true, true, false],
    ['gzip-6', true, true, true, false],
    ['client-zstd-3', true, true, true, true],
  ]);
  const markdown = renderMarkdown(run);
  for (const layer of ['One disk', 'RAID-Z1, ZFS without compression', 'ZFS without Lustre'])
    expect(markdown).toMatch(new RegExp(`\\| ${layer}[^\\n]*\\| 350`));
  expect(markdown).toContain('## What compression costs and saves');
});
