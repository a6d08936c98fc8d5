/** An error that keeps the lab from starting or stopping, with an actionable message. */
export class LabError extends Error {
  override readonly name = 'LabError';
}

/** Called with one line per step. @param next what is under way from then on. @default the line, which announces it */
export type OnProgress = (line: string, next?: string) => void;
