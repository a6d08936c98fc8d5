/** The reading side of a run. Load it lazily: what draws the charts costs a third of a second. */

export { readRun } from '../results/readRun';
export type { RunRecord } from '../results/record';
export { type CsvTable, renderCsv } from './csv';
export { type Condition, type Figure, figuresOf, type RunFigures } from './figures';
export { toJson } from './json';
export { renderMarkdown } from './markdown';
export { renderHtml } from './page';
export { type RunSummary, summarise as summariseRun } from './summary';
