import { type Behaviour, healthy } from '../bench';
import { driveWith, isRemoval, throughputs } from './driveWith';

describe('a failure', () => {
  const fullOnLz4: Behaviour = (invocation) => {
    if (
      invocation.argv[0] === 'fio' &&
      invocation.argv.includes('--rw=write') &&
      invocation.argv.some((word) => word.includes('/mnt/lz4/') && word.includes('r1-c2.6'))
    ) {
      return {
        output: 'fio: io_u error on file x: No space left on device: write offset=0, buflen=1048576\n',
        exitStatus: 1,
      };
    }
    return healthy(invocation);
  };
  let result: Awaited<ReturnType<typeof driveWith>>;
  beforeAll(async () => {
    result = await driveWith(fullOnLz4);
  });

  test('is a sample without value and with the reason', () => {
    const failed = throughputs(result.samples, 'write').filter((sample) => sample.value === null);
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ arm: 'lz4', step: 'r1-c2.6-write-lz4' });
    expect(failed[0]?.reason).toContain('no_space');
  });

  test('skips what needed its data, on its arm only, and says why', () => {
    const reads = throughputs(result.samples, 'read').filter((sample) => sample.value === null);
    expect(reads.map((sample) => [sample.arm, sample.step, sample.reason])).toEqual([
      ['lz4', 'r1-c2.6-read-lz4', 'skipped, since r1-c2.6-write-lz4 failed on lz4'],
    ]);
  });

  test('does not keep the data that filled the disk', () => {
    expect(
      result.commands.filter(
        (argv) => isRemoval(argv) && argv[1] === '/mnt/lz4' && argv.some((word) => word.endsWith('/r1-c2.6')),
      ),
    ).toHaveLength(1);
  });

  test('makes the run failed, names the steps, and can be repaired by another session', async () => {
    expect(result.status.state).toBe('failed');
    expect(result.status.failedSteps).toContain('r1-c2.6-write-lz4');
    expect(result.status.message).toMatch(
      /^\d+ steps failed: r1-c2\.6-write-lz4, .*; the first: exit status 1 .*, see raw\/lz4\/measure\/1-c2\.6-write-lz4\.out$/,
    );
    const again = await driveWith(healthy, { folder: result.folder });
    expect(again.status.state).toBe('done');
    const mended = throughputs(again.samples, 'write').filter((sample) => sample.step === 'r1-c2.6-write-lz4');
    expect(mended.map((sample) => [sample.attempt, sample.value])).toEqual([
      [1, null],
      [2, 500],
    ]);
    expect(again.commands.filter((argv) => argv[0] === 'fio')).toHaveLength(2);
  });
});

test('caches that may not be dropped make the read doubtful, not the run failed', async () => {
  const { status, samples } = await driveWith((invocation) =>
    invocation.argv[0]?.endsWith('drop-caches') ? { exitStatus: 3 } : healthy(invocation),
  );
  expect(status.state).toBe('done');
  expect(throughputs(samples, 'read').every((sample) => sample.cautions.includes('caches_not_dropped'))).toBe(true);
  expect(throughputs(samples, 'write').some((sample) => sample.cautions.includes('caches_not_dropped'))).toBe(false);
});
