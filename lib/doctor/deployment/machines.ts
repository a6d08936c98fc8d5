import { type Account, askAll, tagOf } from '../../common/aws/account';
import { OF_STACKS, stackOf } from '../../storage/search';

/** An instance of a deployment, and how far its boot has come. */
export interface BootingMachine {
  readonly id: string;
  /** Its tag Name; `null` where it has none, or is gone. */
  readonly name: string | null;
  /** EC2's; `null` for one that it no longer lists. */
  readonly state: string | null;
  /** EC2's reason for ending it. @default - it did not */
  readonly stateReason?: string;
  /** The step that its boot began last, in the words of its log; `null` where there is no log yet. */
  readonly step: string | null;
  /** The error that ended its boot. @default - none is known */
  readonly error?: string;
  /** Time of the last line, in ISO 8601; `null` where there is none. */
  readonly lastLineAt: string | null;
}

/** Boots that are read, the latest first: each is a call, and one that hangs is like another. */
const MOST_LOGS = 12;

/** A line of a boot, as assets/client/lib/common.sh writes it. */
const LINE = /^(\d{4}-\d\d-\d\dT[\d:]+Z) ([\w.-]+): (.*)$/;

/**
 * The instances of a stack with the last lines of their boots, which are in the stack's log group, one stream for each instance.
 *
 * @param logGroup `null` where the stack has none yet
 */
export async function machinesOf(account: Account, stack: string, logGroup: string | null): Promise<BootingMachine[]> {
  const Filters = [OF_STACKS];
  const reservations = await askAll(account, 'ec2:DescribeInstances', { Filters }, 'Reservations');
  const boots = logGroup === null ? new Map<string, Boot>() : await bootsOf(account, logGroup);
  const known = reservations
    .flatMap(({ Instances = [] }) => Instances)
    .filter((instance) => stackOf(instance) === stack)
    .map((instance): BootingMachine => {
      const { InstanceId: id = '', State, StateReason } = instance;
      const ended = State?.Name === 'running' || State?.Name === 'pending' ? undefined : StateReason?.Message;
      return {
        id,
        name: tagOf(instance, 'Name') ?? null,
        state: State?.Name ?? null,
        stateReason: ended || undefined,
        ...(boots.get(id) ?? NO_BOOT),
      };
    });
  const ids = new Set(known.map(({ id }) => id));
  const gone = [...boots].filter(([id]) => !ids.has(id));
  return [...known, ...gone.map(([id, boot]): BootingMachine => ({ id, name: null, state: null, ...boot }))];
}

type Boot = Pick<BootingMachine, 'step' | 'error' | 'lastLineAt'>;
const NO_BOOT: Boot = { step: null, lastLineAt: null };

async function bootsOf(account: Account, logGroupName: string): Promise<Map<string, Boot>> {
  const { logStreams = [] } = await account
    .ask('logs:DescribeLogStreams', { logGroupName, orderBy: 'LastEventTime', descending: true, limit: 50 })
    .catch((error: Error) => {
      if (error.name === 'ResourceNotFoundException') return { logStreams: [] };
      throw error;
    });
  const names = logStreams
    .flatMap(({ logStreamName = '' }) => (logStreamName.endsWith('/boot') ? logStreamName : []))
    .slice(0, MOST_LOGS);
  const boots = names.map(async (logStreamName) => {
    const input = { logGroupName, logStreamName, startFromHead: false, limit: 100 };
    const { events = [] } = await account.ask('logs:GetLogEvents', input);
    return [logStreamName.split('/')[0] as string, bootIn(events.map(({ message = '' }) => message))] as const;
  });
  return new Map(await Promise.all(boots));
}

/** Reads the progress of a boot. @param lines of its log, or the last of them */
export function bootIn(lines: readonly string[]): Boot {
  const entries = lines.flatMap((line) => {
    const [, at = '', program = '', text = ''] = LINE.exec(line.trimEnd()) ?? [];
    return at === '' ? [] : [{ at, program, text }];
  });
  const steps = entries.filter(({ program, text }) => program === 'boot' && !text.startsWith('error: '));
  const errors = entries.filter(({ text }) => text.startsWith('error: '));
  // The first error is the step's own; the last only says that the step has failed.
  const [first] = errors;
  return {
    step: steps.at(-1)?.text ?? null,
    error: first && `${first.program}: ${first.text.slice('error: '.length)}`,
    lastLineAt: entries.at(-1)?.at ?? null,
  };
}
