import type { ProgramLimit } from '../../analysis/limits/program';
import type { RunSummary } from '../../analysis/summary';
import { listed } from '../../common/format/text';
import { bytes, NO_VALUE, plain } from '../../common/format/units';
import type { Sentence } from '../../common/page/arms';
import { type Counter, OPERATION_ROLES } from '../../schema/environment';
import { limitSustains } from '../../storage/limitNames';
import { armColumn, column, method, number, quantity, remark, tableOf } from '../blocks';
import { nounOf } from '../title';
import type { Section } from './section';

const percent = (share: number | null): string => (share === null ? NO_VALUE : `${plain(Math.round(share * 100))} %`);

/** A user's own program on each of its nodes. */
export const program: Section = {
  id: 'program',
  title: 'Is the program limited by storage?',
  isResult: true,
  blocks({ analysis: { programs } }) {
    if (programs.length === 0) return [];
    const nodes = programs.flatMap(({ arm, nodes: own }) => own.map((node) => ({ arm, ...node })));
    const names = [...new Set(nodes.flatMap(({ counters }) => (counters ?? []).map(({ name }) => name)))];
    const node = ({ client }: (typeof nodes)[number]): string => client ?? 'this computer';
    const reasons = nodes.map(
      (one) =>
        one.reason !== null &&
        `${one.counters === null ? 'No' : 'Not every'} counter was read on ${node(one)}: ${one.reason}.`,
    );
    const shared = nodes.map(
      (one) => one.sameAs !== undefined && `${node(one)} is the same computer as ${one.sameAs}: it counts for both.`,
    );
    return [
      method(
        'Counters are read on every node before and after each repeat; a row has the mean of the repeats. “Waiting for I/O” is the share of time in which at least one process waited for I/O (the kernel’s pressure stall information). “Idle, waiting” is the share of CPU time without work during such waits.',
      ),
      tableOf(nodes, { caption: 'Nodes while the program ran', captionHidden: true }, [
        armColumn(),
        column('Node', node),
        number('CPUs busy', ({ busy }) => percent(busy)),
        number('Waiting for I/O', ({ ioStall }) => percent(ioStall)),
        number('Idle, waiting', ({ ioWait }) => percent(ioWait)),
      ]),
      names.length > 0 &&
        tableOf(names, { caption: 'What each node counted in a repeat' }, [
          column('Counter', (name) => name.replaceAll('_', ' ')),
          ...nodes.map((one) =>
            number(`${one.arm}, ${node(one)}`, (name: string) => {
              const found = one.counters?.find((counter) => counter.name === name);
              return quantity(found?.value ?? null, (value) => inUnit(found, value), { reason: one.reason });
            }),
          ),
        ]),
      ...[...new Set([...reasons, ...shared])].map((words) => words !== false && remark(words)),
    ];
  },
};

function inUnit(counter: Counter | undefined, value: number | null): string {
  if (counter === undefined || value === null) return NO_VALUE;
  if (counter.unit === 'B') return bytes(value);
  return counter.unit === '1' ? plain(value) : `${plain(value)} ${counter.unit}`;
}

const HEADS = {
  yes: 'storage limits the program',
  partly: 'storage limits the program in part',
  no: 'storage does not limit the program',
};
const WAITED = {
  calls: 'its processes were in calls to the file system',
  stall: 'some process waited for I/O',
  iowait: 'CPUs were idle, waiting for I/O,',
};

/** One sentence on each arm that a user's own program ran on. */
export function programSentences({ analysis: { programs } }: Pick<RunSummary, 'analysis'>): Sentence[] {
  return programs.map(({ arm, limited, waiting, wrote, read, operations, busy, limitsReason }): Sentence => {
    const head = limited === null ? 'it is inconclusive whether storage limits the program' : HEADS[limited];
    const rates = [describeRate('wrote', wrote), describeRate('read', read), describeOperations(operations)].filter(
      (words) => words !== null,
    );
    const moved = rates.length === 0 ? 'its bytes were not counted' : `it ${listed(rates)}`;
    const unknown =
      limitsReason === null || rates.length === 0 ? '' : ` (no limit to compare it with: ${limitsReason})`;
    return [
      { arm },
      `: ${head}: ${describeWaiting(waiting)}; ${moved}${unknown}; the CPUs were ${percent(busy)} busy.`,
    ];
  });
}

function describeWaiting(waiting: ProgramLimit['waiting']): string {
  if (waiting === null) return 'its waits were not counted';
  const { share, by, atLeast } = waiting;
  const max = atLeast ? '' : ' (faster storage can save no more)';
  return `${WAITED[by]} ${atLeast ? 'at least ' : ''}${percent(share)} of the time${max}`;
}

function describeRate(verb: string, { MBps, limit }: ProgramLimit['wrote']): string | null {
  if (MBps === null) return null;
  const of = limit === null ? '' : `, ${percent(limit.share)} of what ${limitSustains(limit.name)}`;
  return `${verb} ${plain(MBps)} MB/s${of}`;
}

/** `made 1,200 creates and 300 deletes per second, 71 % of what the metadata servers sustain`; `null` for less than one per second of each. */
function describeOperations(operations: ProgramLimit['operations']): string | null {
  const { perSecond = {}, share = null } = operations ?? {};
  const rates = OPERATION_ROLES.flatMap((operation) => {
    const rate = perSecond[operation] ?? 0;
    return rate < 1 ? [] : [`${plain(rate)} ${nounOf(operation)}`];
  });
  if (rates.length === 0) return null;
  return `made ${listed(rates)} per second${share === null ? '' : `, ${percent(share)} of what ${limitSustains('metadata_servers')}`}`;
}
