import { has } from '../../../lint/faults';

const GIB = 2 ** 30;

test('memory is named by whose it is, as far as it is known', () => {
  const message = (command: string, context: object) => has(command, 'data-fit-in-memory', context)?.message ?? '';
  const [clientMemoryBytes, serverMemoryBytes] = [96 * GIB, 126 * GIB];
  for (const command of [
    'ior -r -e -b 90g',
    'fio --name=a --rw=read --size=90g',
    'dd if=/fsx/a of=/dev/null bs=1M count=92160',
  ]) {
    expect(message(command, { clientMemoryBytes })).toContain('the 96 GiB of client memory');
    expect(message(command, { serverMemoryBytes })).toContain('the 126 GiB of server memory');
    expect(message(command, { clientMemoryBytes, serverMemoryBytes })).toContain(
      'the 222 GiB of client and server memory',
    );
  }
});
