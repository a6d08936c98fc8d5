import { Reboots } from '../../../lib/run/clients/clientLoad';

const STEPS = ['write-a', 'space-a', 'drop-a', 'read-a', 'write-b'];
const look = (client: string, bootId: string | null, step: string, ended: boolean) => ({ client, bootId, step, ended });

function saidOf(...looks: readonly ReturnType<typeof look>[]): string[] {
  const reboots = new Reboots();
  for (const one of looks) reboots.note(one);
  return reboots.take(STEPS);
}

test('a reboot within a step names the client and that step, once', () => {
  const reboots = new Reboots();
  reboots.note(look('10.0.0.1', 'x', 'write-a', false));
  reboots.note(look('10.0.0.2', 'y', 'write-a', false));
  reboots.note(look('10.0.0.1', 'z', 'write-a', true));
  reboots.note(look('10.0.0.2', 'y', 'write-a', true));
  expect(reboots.take(STEPS)).toEqual(['10.0.0.1 rebooted in write-a; these may be wrong: write-a']);
  expect(reboots.take(STEPS)).toEqual([]);
});

test('a reboot between two looks names the steps between them, and no other', () => {
  expect(saidOf(look('c', 'x', 'write-a', true), look('c', 'y', 'read-a', false))).toEqual([
    'c rebooted between write-a and read-a; these may be wrong: space-a, drop-a',
  ]);
});

test('a step after which the client did not answer may be wrong, too', () => {
  expect(
    saidOf(look('c', 'x', 'write-a', false), look('c', null, 'write-a', true), look('c', 'y', 'read-a', false)),
  ).toEqual(['c rebooted between write-a and read-a; these may be wrong: write-a, space-a, drop-a']);
});

test('a reboot between two steps without any other between them spoils none', () => {
  expect(saidOf(look('c', 'x', 'read-a', true), look('c', 'y', 'write-b', false))).toEqual([
    'c rebooted between read-a and write-b; no step ran meanwhile',
  ]);
});

test('clients that do not tell, or stay up, are not suspected', () => {
  expect(saidOf(look('c', null, 'write-a', false), look('c', 'x', 'read-a', false))).toEqual([]);
  expect(saidOf(look('c', 'x', 'write-a', false), look('c', 'x', 'write-b', true))).toEqual([]);
});
