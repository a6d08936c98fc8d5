/** The reading side of a run. Load it lazily: what draws the charts costs a third of a second. */
export { type CsvTable, renderCsv } from './csv';
export { type Condition, type Figure, figuresOf, type RunFigures } from './figures';
export { toJson } from './json';
export { renderMarkdown } from './markdown';
export { renderHtml } from './page';
export { readRun } from './readRun';
export type { RunRecord } from './record';
export { type RunSummary, summarise as summariseRun } from './summary';
