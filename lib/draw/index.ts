/** The drawing of dashboards. Load it lazily: what draws the charts costs a third of a second. */
export { parseBody } from './body';
export { renderDashboard } from './page';
export { bodyInTemplate } from './template';
