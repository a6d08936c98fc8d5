/** The reading side of a run. Load it lazily: what draws the charts costs a third of a second. */

export { type RunSummary, summarise as summariseRun } from '../analysis/summary';
export { readRun } from '../store/readRun';
export type { RunRecord } from '../store/record';
export { answerOf } from './answers';
export { type CsvTable, renderCsv } from './csv';
export { figuresOf } from './findings';
export { toJson } from './json';
export { renderMarkdown } from './markdown';
export { renderHtml } from './page';
