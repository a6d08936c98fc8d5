/**
 * True if notices say that this computer was too busy for a calibration: other work slows a disk or a link, and a late clock makes one look slightly
 * faster, but nothing makes a throttled one as fast as an unthrottled one.
 *
 * @throws Error if a figure is far above its limit: that limit is not in force, on any machine
 */
export function tooBusy(notices: readonly string[]): boolean {
  const notice = notices.find((one) => one.includes('this computer is too busy or too slow'));
  if (notice === undefined) return false;
  const [, held, came] = /limited to ([\d.]+) MB\/s and came to ([\d.]+)/.exec(notice) ?? [];
  if (!(Number(came) < 1.5 * Number(held))) throw new Error(`it is not held: ${notice}`);
  return true;
}
