// Turns write-client-config's lines (kind, name, value; tabs between) into client.json on stdout.

import { readFileSync } from 'node:fs';

const facts = readFileSync(0, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.split('\t'));

const single = (kind) => facts.find(([found]) => found === kind)?.[2] ?? null;
const named = (kind) =>
  Object.fromEntries(facts.filter(([found]) => found === kind).map(([, name, value]) => [name, value]));
const [kind, filesystem, device, actually, servers] = ['kind', 'filesystem', 'device', 'actually', 'servers'].map(
  named,
);

const config = {
  schema: 'fsxbench.client/1',
  launch: single('launch'),
  user: single('user'),
  home: single('home'),
  networkCidr: single('networkCidr'),
  arms: Object.fromEntries(
    Object.entries(named('arm')).map(([name, mountPoint]) => [
      name,
      {
        mountPoint,
        filesystem: filesystem[name],
        mountedAt: { mountPoint, type: filesystem[name], device: device[name] },
        actually: actually[name],
        kind: kind[name],
        ...(servers[name] && { servers: JSON.parse(servers[name]) }),
      },
    ]),
  ),
  tools: named('tool'),
};
process.stdout.write(`${JSON.stringify(config, null, 2)}\n`);
