import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MOUNT_BENCHMARK } from '../../../lib/benchmark/registry';
import { settle } from '../../../lib/run/task/space';
import type { Sample } from '../../../lib/schema/sample';
import { capacityFromLfsDf } from '../../../lib/storage/common/lustre';
import type { Behaviour } from '../bench';
import { healthy, localClients, smallPlan } from '../bench';
import { driveWith } from '../driver/driveWith';

const RECORDED = readFileSync(join(__dirname, '../../fixtures/lustre/lfs-df-after-rm.out'), 'utf8');
/** Output of a real Lustre so many seconds after `rm` had returned; the last reading repeats. */
const READINGS = [...RECORDED.slice(RECORDED.indexOf('after rm')).matchAll(/^ *([\d.]+) s +(.*)$/gm)].map(
  ([, seconds, line]) => ({ seconds: Number(seconds), line: line as string }),
);
const KIB = { counted: 203_776, freed: 105_472 };

/** Time passes by the pauses alone. */
function clock(from = 0) {
  let now = from;
  return {
    now: () => now,
    pause: async (seconds: number) => {
      now += seconds;
    },
  };
}

const recordedAt = (seconds: number): string =>
  (READINGS.findLast((reading) => reading.seconds <= Math.max(1, seconds)) as (typeof READINGS)[number]).line;

const going = new AbortController().signal;

test.each([0, 1, 3, 4.9, 6.6, 8])(
  'what was removed %d s ago is not counted, though a real lfs df still counts it',
  async (since) => {
    expect(recordedAt(0)).toContain(String(KIB.counted));
    const { now, pause } = clock(since);
    const seen: number[] = [];
    const look = async () => {
      const [size, used] = capacityFromLfsDf(recordedAt(now()));
      seen.push((used?.value ?? 0) / 1024);
      return { size: size?.value ?? 0, used: used?.value ?? 0 };
    };
    const settled = await settle({ look, alike: 2, abort: going, pause });
    expect(settled).toMatchObject({ state: 'settled' });
    expect(seen.at(-1)).toBe(KIB.freed);
  },
);

test('a pair of readings that agree on the way down is not the end when three are asked for', async () => {
  const used = [9e9, 9e9, 5e9, 1e9, 1e9, 1e9];
  const look = async () => ({ size: 1e13, used: used.shift() as number });
  expect(await settle({ look, alike: 3, abort: going, pause: async () => {} })).toEqual({
    state: 'settled',
    seconds: 75,
  });
});

test('waits for a quarter of an hour at the most, and says what still changed', async () => {
  let used = 1e12;
  const look = async () => {
    used -= 100 * 2 ** 20;
    return { size: 1e13, used };
  };
  const { pause, now } = clock();
  const settled = await settle({ look, alike: 2, abort: going, pause });
  expect(now()).toBe(900);
  expect(settled).toMatchObject({ state: 'changing', seconds: 900 });
  expect('reason' in settled && settled.reason).toBe(
    'used space was still changing after 900 s, by -100 MiB in the last 15 s: removed data are still being freed, or there are other writers',
  );
});

test('slow looks count towards the quarter of an hour, not the pauses alone', async () => {
  const { pause, now } = clock();
  let looked = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now() + looked) * 1000);
  try {
    let used = 1e12;
    const look = async () => {
      looked += 100;
      used -= 100 * 2 ** 20;
      return { size: 1e13, used };
    };
    const settled = await settle({ look, alike: 2, abort: going, pause });
    expect(settled).toMatchObject({ state: 'changing', seconds: now() + looked });
    expect(now() + looked).toBeLessThanOrEqual(900 + 100);
    expect('reason' in settled && settled.reason).toContain('by -100 MiB in the last 115 s');
  } finally {
    jest.restoreAllMocks();
  }
});

test('a look that takes the whole time leaves nothing to compare, and is said to', async () => {
  const { pause, now } = clock();
  let looked = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now() + looked) * 1000);
  try {
    const look = async () => {
      looked += 1000;
      return { size: 1, used: 1 };
    };
    expect(await settle({ look, alike: 2, abort: going, pause })).toEqual({
      state: 'changing',
      seconds: 1000,
      reason: 'used space was read only once after 1000 s: the file system answers too slowly',
    });
  } finally {
    jest.restoreAllMocks();
  }
});

test('the housekeeping of a quiet file system is no change', async () => {
  const used = [5e12, 5e12 + 3e6];
  const look = async () => ({ size: 15e12, used: used.shift() as number });
  expect(await settle({ look, alike: 2, abort: going, pause: async () => {} })).toMatchObject({ state: 'settled' });
});

test('an interruption ends the wait', async () => {
  const abort = new AbortController();
  const look = async () => ({ size: 1, used: 1 });
  const settled = await settle({ look, alike: 9, abort: abort.signal, pause: async () => abort.abort() });
  expect(settled).toEqual({ state: 'failed', seconds: 15, reason: 'interrupted' });
});

/** A run on two Lustre file systems whose removed data are freed at the given pace, which may be another after so many removals. */
async function runOnLustre(pace: number | ((removals: number) => number), { repeats = 2 } = {}) {
  const GB = 1e9;
  const time = clock();
  const state = new Map(['none', 'lz4'].map((arm) => [arm, { live: 0, freeing: 0, since: 0, removals: 0 }]));
  const order: string[] = [];
  const machine: Behaviour = (invocation) => {
    const words = invocation.argv.join(' ');
    const arm = words.includes('/lz4') ? 'lz4' : 'none';
    const own = state.get(arm) as { live: number; freeing: number; since: number; removals: number };
    const bytesPerSecond = typeof pace === 'number' ? pace : pace(own.removals);
    const stillFreeing = Math.max(0, own.freeing - bytesPerSecond * (time.now() - own.since));
    if (words.startsWith('fio') && words.includes('--rw=write')) {
      order.push(`write ${arm} while ${stillFreeing / GB} GB are being freed`);
      own.live = 10 * GB;
    }
    if (words.includes('/remove-below '))
      Object.assign(own, { live: 0, freeing: own.live + stillFreeing, since: time.now(), removals: own.removals + 1 });
    if (words.startsWith('lfs df')) {
      const used = Math.round((5 * GB + own.live + stillFreeing) / 1024);
      return { output: `UUID 1K-blocks\n\nfilesystem_summary:  100000000000 ${used} 1 1% /fsx\n` };
    }
    if (words.startsWith('find') && words.includes('du'))
      return { output: `${words.includes('--apparent-size') ? 2 * 10 * GB : 10 * GB}\t/a\n` };
    return healthy(invocation);
  };
  const { config } = localClients('/mnt');
  const arms = Object.fromEntries(
    Object.entries(config.arms).map(([name, arm]) => [name, { ...arm, filesystem: 'lustre' as const }]),
  );
  const { status, samples } = await driveWith(machine, {
    plan: smallPlan({ set: ['tool=fio', 'compressibilities=2', `repeats=${repeats}`, 'warmUpSeconds=0'] }),
    clients: { config: { ...config, arms }, addresses: [], groups: 2 },
    pause: time.pause,
  });
  return { status, samples, order };
}

const grown = (samples: readonly Sample[]): number[] => {
  const of = (phase: Sample['phase']) =>
    samples.filter(({ metric, phase: at, repeat }) => metric === 'used_bytes' && at === phase && repeat > 0);
  const after = of('conclude');
  return of('prepare').map(({ arm, repeat, value }) => {
    const end = after.find((sample) => sample.arm === arm && sample.repeat === repeat)?.value;
    return Math.round(((end ?? Number.NaN) - (value ?? Number.NaN)) / 1e9);
  });
};

describe('a run whose removed data are freed in the background', () => {
  test('grows by what it wrote in every repeat, and nothing is measured while the last unit is being freed', async () => {
    // 10 GB take 100 s: far longer than the steps of a run, and than the recording.
    const { status, samples, order } = await runOnLustre(0.1e9);
    expect(status.state).toBe('done');
    expect(grown(samples)).toEqual([10, 10, 10, 10]);
    expect(order).toHaveLength(4);
    expect(order.every((each) => each.endsWith('while 0 GB are being freed'))).toBe(true);
    const freeing = samples.filter(({ operation }) => operation === 'freeing');
    expect(freeing).toHaveLength(4);
    expect(freeing.every(({ value, unit }) => (value ?? 0) >= 100 && unit === 's')).toBe(true);
  });

  test('that takes longer than is waited for has no figure by free space but the reason, and what is measured is doubtful', async () => {
    const { status, samples } = await runOnLustre(0.001e9);
    expect(status.state).toBe('done');
    const used = samples.filter(({ metric, repeat }) => metric === 'used_bytes' && repeat === 2);
    expect(used.map(({ value }) => value)).toEqual(used.map(() => null));
    expect(used[0]?.reason).toMatch(/^used space was still changing after 9[01]\d s/);
    // The file system's size does not depend on it, and du does not either.
    expect(samples.filter(({ metric }) => metric === 'size_bytes').every(({ value }) => value !== null)).toBe(true);
    expect(samples.filter(({ metric }) => metric === 'compression_ratio').map(({ value }) => value)).toEqual([
      2, 2, 2, 2,
    ]);
    const doubtful = samples.filter(({ cautions }) => cautions.includes('removal_still_freeing'));
    expect(new Set(doubtful.map(({ repeat, operation }) => `${repeat} ${operation}`))).toEqual(
      new Set(['2 write', '2 read', '2 task']),
    );
  });

  test('doubts what is measured only until they are freed', async () => {
    const { samples } = await runOnLustre((removals) => (removals < 2 ? 0.001e9 : 1e9), { repeats: 3 });
    const doubtful = samples.filter(({ cautions }) => cautions.includes('removal_still_freeing'));
    expect([...new Set(doubtful.map(({ repeat }) => repeat))]).toEqual([2]);
  });
});

test.each(['mount', 'like'])(
  'the plan %s waits for free space as often as its run does, and only before it is read',
  async (name) => {
    const definition = {
      benchmark: MOUNT_BENCHMARK,
      plan: name,
      arms: [{ name: 'none', description: 'a Lustre without a name', configuration: { kind: 'directory' } }],
      set: ['repeats=3', ...(name === 'mount' ? ['tool=fio'] : ['readBytes=1000000'])],
    };
    const plan = smallPlan({ ...definition, mountedAs: { none: 'lustre' } });
    const waits = plan.totals.expectedSeconds - smallPlan(definition).totals.expectedSeconds;
    const time = clock();
    const { config } = localClients('/mnt');
    const arms = { none: { mountPoint: '/mnt/none', actually: 'lustre', filesystem: 'lustre' } };
    const { commands } = await driveWith(
      (invocation) =>
        invocation.argv[0] === 'lfs' ? { output: 'filesystem_summary: 100 1 99 1% /mnt\n' } : healthy(invocation),
      { plan, clients: { config: { ...config, arms }, addresses: [], groups: 1 }, pause: time.pause },
    );
    expect(commands.filter((argv) => argv.join(' ').includes('/remove-below ')).length).toBeGreaterThan(2);
    // Twice two readings of free space, and three behind the last removal; 15 s apart.
    expect({ planned: waits, waited: time.now() }).toEqual({ planned: 60, waited: 60 });
  },
);

test('a file system without a capacity, such as a bucket, costs no run its end: its size is null, with the reason', async () => {
  const { config } = localClients('/mnt');
  const arms = Object.fromEntries(
    Object.entries(config.arms).map(([name, arm]) => [name, { ...arm, filesystem: 'fuse' }]),
  );
  const { status, samples } = await driveWith(healthy, {
    plan: smallPlan({ set: ['tool=fio', 'compressibilities=1', 'repeats=1', 'warmUpSeconds=0'] }),
    clients: { config: { ...config, arms }, addresses: [], groups: 2 },
    pause: async () => {},
  });
  const sizes = samples.filter(({ metric }) => metric === 'size_bytes');
  expect(new Set(sizes.map(({ value, reason }) => `${value}: ${reason}`))).toEqual(
    new Set(['null: a bucket has no size, and S3 reports once a day what is stored']),
  );
  expect(status.failedSteps).toEqual([]);
});
