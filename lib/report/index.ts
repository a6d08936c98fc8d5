/** The reading side of a run. Load it lazily: what draws the charts costs a third of a second. */
export { type ReportDocument, toJson } from './json';
export { renderMarkdown } from './markdown';
export { renderHtml } from './page';
export { readRun } from './readRun';
export type { RunRecord } from './record';
export { type RunSummary, summarise } from './summary';
