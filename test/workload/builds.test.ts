import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKLOADS } from '../../lib/workload/registry';

test('--build-tools builds every tool that says so, and no other', () => {
  const script = readFileSync(resolve(__dirname, '../../assets/client/bin/build-tools'), 'utf8');
  const [, programs = ''] = /^programs\(\) .* then echo (.+?); else/m.exec(script) ?? [];
  const built = WORKLOADS.flatMap(({ id, version }) => (version?.builds === true ? [id] : []));
  expect(programs.split(' ').sort()).toEqual(built.sort());
});
