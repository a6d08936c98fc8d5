/** The drawing of dashboards. Load it lazily, since the chart library takes a third of a second. */
export { describeDashboard } from './describe';
export { renderDashboard } from './page';
export { Collected } from './source';
