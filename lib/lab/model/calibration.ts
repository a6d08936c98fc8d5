import { HELD_WITHIN, type ScaleModel, type ThrottledFigure } from '../../schema/model';
import type { CommandResult } from '../processes';

/** Rates of a storage's disks, all together. */
export interface DiskRates {
  readonly diskReadBytesPerSecond: number;
  readonly diskWriteBytesPerSecond: number;
}

/** Limits of its disks, and of the data that are not on them yet, as the kernel read them back. */
export interface DiskLimits extends DiskRates {
  readonly dirtyBytes: number;
}

/** On a busy machine a calibration may miss; what it has not reached after so many, it does not reach in a run either. */
export const CALIBRATIONS = 5;

/** Models that come up at the same time: what two cores calibrate without a loss. All at once would calibrate each other. */
const AT_ONCE = 3;

/** Works on a few at a time, and on none after the first that failed, whose result is a text. */
export async function fewAtOnce<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  const left = [...all.entries()];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, one] = next;
      done[at] = await work(one);
      if (typeof done[at] === 'string') left.length = 0;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return done;
}

/** Why a script of assets/lab/model failed: the last line that it printed, without its name; `null` if it did not. */
export function failureOf(script: string, { code, stderr }: CommandResult): string | null {
  if (code === 0) return null;
  const line = stderr.trim().split('\n').at(-1);
  return line ? line.replace(/^model: (error: )?/, '') : `assets/lab/model/${script} ended with status ${code}`;
}

/** Measures the limits until each figure was within the tolerance once. @param measure the limits with their calibration, or why it failed */
export async function calibrated(arm: string, measure: () => Promise<ScaleModel | string>) {
  let best: ScaleModel | null = null;
  for (let attempt = 1; ; attempt++) {
    const found = await measure();
    if (typeof found === 'string') return found;
    const model: ScaleModel = nearest(best, found);
    best = model;
    const off = model.held.find((figure) => deviation(figure) > HELD_WITHIN);
    if (off === undefined) return model;
    if (attempt === CALIBRATIONS) return notThrottled(arm, off);
  }
}

const deviation = ({ setMBps, measuredMBps }: ThrottledFigure): number => Math.abs(measuredMBps / setMBps - 1);

/** Takes the nearer figure of two calibrations: other work or a late clock can falsify one, but neither brings a figure near an absent limit. */
function nearest(before: ScaleModel | null, now: ScaleModel): ScaleModel {
  const held = now.held.map((figure, index) => {
    const earlier = before?.held[index];
    return earlier !== undefined && deviation(earlier) < deviation(figure) ? earlier : figure;
  });
  return { ...now, held };
}

function notThrottled(arm: string, { name, setMBps, measuredMBps }: ThrottledFigure): string {
  return `${name} of ${arm} is limited to ${setMBps.toFixed(1)} MB/s and came to ${measuredMBps.toFixed(1)} in ${CALIBRATIONS} calibrations, more than ${HELD_WITHIN * 100} % off: this computer is too busy or too slow for this scale`;
}

/** Error for a figure that the kernel does not throttle to the requested rate. */
export function notAsAsked(arm: string, name: ThrottledFigure['name'], asked: number, set: number): string {
  const MBps = (bytes: number): string => (bytes / 1e6).toFixed(1);
  return `${name} of ${arm} must be throttled to ${MBps(asked)} MB/s, and the kernel throttles it to ${MBps(set)}`;
}

/** `disk 28.8 MB/s (measured 28.7), network 108.0 MB/s (measured 107.2)`: what is written passes both. Creations where they are held. */
export function describeThrottled({ held, metadata }: ScaleModel): string {
  const words = { disk_write: 'disk', network_write: 'network', client_write: 'each client' } as const;
  const rates = Object.entries(words).flatMap(([name, word]) => {
    const figure = held.find((each) => each.name === name);
    return figure === undefined
      ? []
      : [`${word} ${figure.setMBps.toFixed(1)} MB/s (measured ${figure.measuredMBps.toFixed(1)})`];
  });
  const creates =
    metadata &&
    `creates ${metadata.setCreatesPerSecond.toFixed(0)}/s (measured ${metadata.measuredCreatesPerSecond.toFixed(1)})`;
  return [...rates, ...(creates ? [creates] : [])].join(', ');
}
