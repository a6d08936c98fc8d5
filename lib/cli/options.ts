/** The local results folder unless `--results` names another. */
export const RESULTS_FOLDER = 'results';

/** Of an option that can be given several times. */
export const collect = (value: string, earlier: string[]): string[] => [...earlier, value];
