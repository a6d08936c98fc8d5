/**
 * True if notices say that what is held could not be calibrated since this machine was too busy: other work makes a disk or a link slower, and a late
 * clock makes one look a little faster, but nothing makes what is held as fast as what is not.
 *
 * @throws Error if a figure came out far above what it is held at: that is a limit that does not hold, on whatever machine
 */
export function tooBusy(notices: readonly string[]): boolean {
  const notice = notices.find((one) => one.includes('this machine is too busy or too slow'));
  if (notice === undefined) return false;
  const [, held, came] = /limited to ([\d.]+) MB\/s and came to ([\d.]+)/.exec(notice) ?? [];
  if (!(Number(came) < 1.5 * Number(held))) throw new Error(`it is not held: ${notice}`);
  return true;
}
