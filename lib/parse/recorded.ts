import { spawnSync } from 'node:child_process';
import { bytes, counted, duration, grouped, plain } from '../common/format/units';
import type { RecordedTransfers, RecordedWork } from '../workload/common/measured';
import { firstPart, splitLines } from '../workload/common/parse/lines';
import { RECORDER } from '../workload/registry';
import { linesOf } from './file';

const MOST_PRINTED = 2 ** 28;
const MOST_MINUTES = 10;

/** The text of a binary log, as its tool's program prints it; `null` for any other file. @throws Error naming the package that is missing, or in the words of the program */
export function printedBinary(path: string): string | null {
  if (!RECORDER.names.test(path)) return null;
  const [program, ...args] = RECORDER.command(path);
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: process.env,
    maxBuffer: MOST_PRINTED,
    timeout: MOST_MINUTES * 60_000,
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    throw new Error(
      `'${path}' is binary, and there is no ${program} on the PATH to read it: install ${RECORDER.package}`,
    );
  if (error !== undefined || status !== 0)
    throw new Error(
      `${program} cannot read '${path}': ${stderr.trim().split('\n')[0] || error?.message || `exit status ${status}`}`,
    );
  return stdout;
}

/** The work of a user's own program that a file describes. @throws Error for a file that describes none, or not enough */
export function recordedIn(path: string): RecordedWork {
  const printed = printedBinary(path);
  const input = printed === null ? linesOf(path) : splitLines(printed);
  const begin = firstPart(input);
  const { tool, work } = RECORDER;
  if (!tool.formats?.some(({ recognizes }) => recognizes(begin)))
    throw new Error(`'${path}' is not a record of a program by ${tool.id}`);
  return work(input);
}

/** The work in one sentence: what would have to be driven to do the same. */
export function describeRecorded(work: RecordedWork): string {
  const { processes, seconds, files, opens, stats, syncs, dataSeconds, metadataSeconds } = work;
  const moved = [labelsOf('wrote', work.write), labelsOf('read', work.read)].filter((words) => words !== null);
  const { shared, partly, own } = files;
  const where = [
    ...(shared > 0 ? [`${counted(shared, 'file')} of all processes`] : []),
    ...(partly > 0 ? [`${counted(partly, 'file')} of some`] : []),
    ...(own > 0 ? [`${plain(own / processes)} ${own === processes ? 'file' : 'files'} of each process’s own`] : []),
  ].join(' and ');
  const calls = `${grouped(opens)} opens, ${grouped(stats)} stats and ${grouped(syncs)} syncs`;
  const inAll = seconds * processes;
  const share = (part: number): string => `${plain(Math.round((100 * part) / Math.max(inAll, part, 1e-9)))} %`;
  return `${counted(processes, 'process', 'processes')} ${moved.join(' and ') || 'moved no data'}${where === '' ? '' : `, in ${where}`}, with ${calls}, in ${duration(seconds)}: ${share(dataSeconds)} of their time in transfers, ${share(metadataSeconds)} in other calls on files.`;
}

function labelsOf(verb: string, transfers: RecordedTransfers | null): string | null {
  if (transfers === null) return null;
  const { transferBytes, order } = transfers;
  const size = transferBytes === null ? 'transfers of many sizes' : `transfers of ${bytes(transferBytes)}`;
  return `${verb} ${bytes(transfers.bytes)} in ${order === null ? '' : `${order} `}${size}${order === null ? ' in no single order' : ''}`;
}
