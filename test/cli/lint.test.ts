import { fsxbenchIn } from './support';

const lint = (...argv: string[]) => fsxbenchIn({}, ['lint', ...argv]);

test('exits with 1 for an error, with 0 for less, and says nothing on stderr', async () => {
  expect(await lint('--', 'dd', 'if=/dev/zero', 'of=/fsx/a', 'bs=1M')).toMatchObject({ status: 1, err: '' });
  expect(await lint('--', 'dd', 'if=a', 'of=/fsx/a', 'bs=1M')).toMatchObject({ status: 0, err: '' });
  expect(await lint('--', 'dd if=a of=/fsx/a bs=1M conv=fsync')).toMatchObject({
    status: 0,
    out: 'no known problems with this command\n',
  });
});

test('prints one document of the fixed format', async () => {
  const { out } = await lint('--json', '--ior-version', '4.0.0', '--', 'ior', '-w', '-l', 'incompressible');
  const document = JSON.parse(out);
  expect(document).toMatchObject({ schema: 'fsxbench.lint/1', command: 'ior -w -l incompressible' });
  expect(Object.keys(document.findings[0])).toEqual(['id', 'severity', 'message', 'suggestion']);
});

test('an instance type gives CPUs and memory', async () => {
  const { out } = await lint('--instance', 'c5n.9xlarge', '--clients', '4', '--', 'mpirun -np 576 ior -r -b 10g');
  expect(out).toContain('144 processes on each client of 36 CPUs');
  expect(out).toContain('→ mpirun -np 144 ior -r -b 10g');
});

test.each([
  [['--'], "missing required argument 'command'"],
  [['--', ' '], 'no command given'],
  [['--cpus', 'many', '--', 'ior'], "'--cpus' must be a whole number from 1, got 'many'"],
  [['--client-memory', '1 elephant', '--', 'ior'], "'--client-memory' must be a size such as 96G, got '1 elephant'"],
  [['--instance', 'c9.huge', '--', 'ior'], "'--instance' must be an instance type with known data, got 'c9.huge'"],
  [['--ior-version', 'new', '--', 'ior'], "'--ior-version' must be a version such as 3.3.0, got 'new'"],
  [['--compression', 'zip', '--', 'ior'], "'--compression' must be none or lz4, got 'zip'"],
])('wrong usage %p is reported with status 2', async (argv, message) => {
  const { status, err } = await lint(...argv);
  expect(err).toContain(message);
  expect(status).toBe(2);
});
