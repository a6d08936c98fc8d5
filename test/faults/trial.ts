import { EmulatedS3 } from './emulatedS3';
import type { Fault } from './fault';
import { World } from './world';

/** Effect of a fault on a run that was resumed to its end. */
export interface Row {
  readonly id: string;
  readonly what: string;
  /** Samples when it had happened, and in the end. */
  readonly before: number;
  readonly after: number;
  /** Samples that were there and are gone, measurements that have no value in the end, and a store that has not all of them. */
  readonly lost: readonly string[];
  /** Place in which it is said. */
  readonly said: 'report' | 'log' | 'nothing to say' | 'nowhere';
  /** All that was said, for a person who looks for what is missing. */
  readonly words: string;
}

/** Injects a fault into a separate run, and resumes the run until it is done. */
export async function trial(fault: Fault): Promise<Row> {
  const world = new World(fault.by, fault.emulated ? new EmulatedS3() : undefined);
  try {
    await fault.prepare?.(world);
    await world.begin();
    let before: string[] | null = null;
    await fault.inject(world, () => {
      before = world.lines();
    });
    await world.finish();
    const after = new Set(world.lines());
    const gone = (before ?? []).filter((line) => !after.has(line));
    const report = (await world.issues()).map(({ id, message, actual }) => `${id}: ${message} ${actual ?? ''}`);
    return {
      id: fault.id,
      what: fault.what,
      before: (before ?? []).length,
      after: after.size,
      lost: [...gone, ...world.missing(), ...((await world.stored()) ? [] : ['the store lacks samples'])],
      said: saidWhere(fault.says, report, world.log),
      words: [...report, world.log].join('\n'),
    };
  } finally {
    await world.end();
  }
}

/** Words of disturbances and failures: undisturbed runs have none. */
const DISTURBED = /^(run-|superseded)|\bdriver: |\bfailed\b|ENOSPC/m;

function saidWhere(says: RegExp | null, report: readonly string[], log: string): Row['said'] {
  if (says === null) return DISTURBED.test([...report, log].join('\n')) ? 'nowhere' : 'nothing to say';
  if (report.some((line) => says.test(line))) return 'report';
  return says.test(log) ? 'log' : 'nowhere';
}
