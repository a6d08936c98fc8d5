import { bytes, plain } from '../../kit/format/units';
import { groupBy, keyOf } from '../../kit/groupBy';
import { countsOf, overlap, type Period, type Window } from '../../observe/service';
import { wordsOf } from '../../store/place';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import { type Answer, inapplicable, type RuleFinding, type ValidityRule } from './rule';

/** So far may the clients' count and the service's be apart: minutes at the edges, retries, metadata. */
const TOLERANCE = 0.05;
/** From so much more on, somebody else must have been there. */
const FOREIGN = 0.1;

/** Where clients and service count the same thing. */
interface Counter {
  readonly operation: string;
  /** Metric of CloudWatch (guide/fs-metrics). */
  readonly metric: string;
  readonly amount: (task: MeasuredTask) => number | null;
  readonly show: (value: number) => string;
  /** What has become of what the service did not count, and what to look at. */
  readonly unseen: string;
  readonly suggestion: string;
}

const moved = (operation: string, metric: string): Counter => ({
  operation,
  metric,
  amount: (task) => task.bytes,
  show: bytes,
  unseen: 'what it did not see came from or stayed in a cache',
  suggestion: 'look whether caches were dropped, and whether the metrics of the whole run were collected',
});

const done = (operation: string, metric: string, what: string): Counter => ({
  operation,
  metric,
  amount: (task) => task.operations,
  show: (value) => `${plain(value)} ${what}`,
  unseen: 'what it did not see was not done on this file system',
  suggestion: 'look whether it was mounted on every client, and whether the metrics of the whole run were collected',
});

const BYTES = [moved('write', 'DataWriteBytes'), moved('read', 'DataReadBytes')];
const FILES = done('file_create', 'FileCreateOperations', 'files');
const CREATES = [FILES, done('dir_create', 'DirectoryCreateOperations', 'directories')];
// What is looked at or opened, a client may know from its cache; what changes a directory, a metadata server always does.
const REMOVES = [
  done('file_remove', 'FileDeleteOperations', 'files'),
  done('dir_remove', 'DirectoryDeleteOperations', 'directories'),
];

/** What clients and service counted of one operation of an arm, over the time in which both counts are known. */
interface Account {
  readonly arm: string;
  readonly clients: number;
  readonly service: number;
}

/** Accounts of every arm, or why there is none of one. */
function accountsOf({ record, tasks }: Subject, { operation, metric, amount }: Counter): (Account | string)[] {
  const own = tasks.filter((task) => task.operation === operation);
  return [...groupBy(own, ({ arm }) => keyOf(arm)).values()].map((group): Account | string => {
    const arm = group[0]?.arm ?? '';
    const { periods, reason } = countsOf(
      record.metrics.flatMap(({ series }) => series),
      arm,
      metric,
    );
    if (reason !== null) return `${arm}: ${reason}`;
    const period = (periods[0] as Period).to - (periods[0] as Period).from;
    const widened = ({ from, to }: Window): Window => ({ from: from - period, to: to + period });
    // A failed task moved something that only the service has counted: its time is left out, and whatever shares its minutes.
    const unknown = group.filter((task) => amount(task) === null).map(widened);
    const known = group.filter((task) => amount(task) !== null && !unknown.some((window) => overlap(window, task)));
    if (known.length === 0) return `${metric} of ${arm}: no task of a known amount to compare with`;
    const longEnough = known.some(({ from, to }) => to - from >= period);
    if (!longEnough) return `${metric} of ${arm}: every task is shorter than a period of it`;
    const windows = known.map(widened);
    return {
      arm,
      clients: known.reduce((sum, task) => sum + (amount(task) ?? 0), 0),
      service: periods
        .filter((one) => windows.some((window) => overlap(one, window)))
        .filter((one) => !unknown.some((window) => overlap(one, window)))
        .reduce((sum, { value }) => sum + value, 0),
    };
  });
}

/** Findings over all counters of a kind, or why nothing could be compared. */
function compare(
  subject: Subject,
  counters: readonly Counter[],
  judge: (account: Account, counter: Counter) => RuleFinding | null,
): Answer {
  const operations = counters.map(({ operation }): string => operation);
  if (!subject.tasks.some(({ operation }) => operations.includes(operation)))
    return inapplicable('the run did no such operation');
  const elsewhere = wordsOf(subject.place);
  if (elsewhere !== null) return elsewhere.service;
  const all = counters.flatMap((counter) => accountsOf(subject, counter).map((account) => ({ account, counter })));
  const reasons = all.flatMap(({ account }) => (typeof account === 'string' ? account : []));
  if (reasons.length === all.length) return [...new Set(reasons)].join('; ');
  return all.flatMap(({ account, counter }) => (typeof account === 'string' ? [] : (judge(account, counter) ?? [])));
}

const percent = (share: number): string => `${plain(share * 100)} %`;

function missing(
  { arm, clients, service }: Account,
  { operation, metric, show, unseen, suggestion }: Counter,
): RuleFinding | null {
  if (service >= clients * (1 - TOLERANCE)) return null;
  return {
    severity: 'error',
    message: `${arm}: the service counted ${percent(1 - service / clients)} less of ${operation} than the clients; ${unseen}.`,
    expected: `${show(clients)} in ${metric}, as the clients count it, within ${percent(TOLERANCE)}`,
    actual: show(service),
    suggestion,
    where: arm,
  };
}

/** Bytes that clients say they moved must have passed the service. */
export const bytesReachService: ValidityRule = {
  id: 'bytes-not-counted-by-service',
  checks: 'bytes of the clients stand in DataWriteBytes and DataReadBytes',
  check: (subject) => compare(subject, BYTES, missing),
};

/** Files that clients say they created must have been created. */
export const createsReachService: ValidityRule = {
  id: 'creates-not-counted-by-service',
  checks: 'files and directories that the clients created stand in FileCreateOperations and DirectoryCreateOperations',
  check: (subject) => compare(subject, CREATES, missing),
};

/** And what they say they removed must have been removed. */
export const removesReachService: ValidityRule = {
  id: 'removes-not-counted-by-service',
  checks: 'files and directories that the clients removed stand in FileDeleteOperations and DirectoryDeleteOperations',
  check: (subject) => compare(subject, REMOVES, missing),
};

/** What the service did beyond the clients' count, somebody else did. Directories tell nothing: the tools make some for themselves. */
export const noForeignLoad: ValidityRule = {
  id: 'foreign-load',
  checks: 'nobody else used the file systems',
  check: (subject) =>
    compare(subject, [...BYTES, FILES], ({ arm, clients, service }, { operation, metric, show }) =>
      service <= clients * (1 + FOREIGN)
        ? null
        : {
            severity: 'error',
            message: `${arm}: the service counted ${percent(service / clients - 1)} more of ${operation} than the clients of this run.`,
            expected: `${show(clients)} in ${metric}, at most ${percent(FOREIGN)} more`,
            actual: show(service),
            suggestion: 'find out who else used the file system, and measure again without',
            where: arm,
          },
    ),
};
