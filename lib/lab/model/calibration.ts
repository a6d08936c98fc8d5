/** A disk, link or metadata server that is further off than this is no model of anything. */
export const TOLERANCE = 0.05;
/** On a busy machine a calibration may miss; what it has not reached after so many, it does not reach in a run either. */
export const CALIBRATIONS = 5;

/** The last line that a script said, without its name. */
export function said(stderr: string, otherwise: string): string {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  return line === '' ? otherwise : line.replace(/^model: (error: )?/, '');
}
