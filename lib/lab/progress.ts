/**
 * Called with one line per step.
 *
 * @param next what is under way from then on. @default the line, which announces it
 */
export type OnProgress = (line: string, next?: string) => void;
