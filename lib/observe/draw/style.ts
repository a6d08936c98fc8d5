/** Additions to the report's style for dashboards: CloudWatch's 24 columns, and one column on a phone. */
export const DASHBOARD_STYLE = `
main.dashboard { max-width: 90rem; padding: 1.5rem 1.25rem 0; }
main.dashboard h1 { font-size: 1.6rem; margin: 0 0 0.4rem; }
.note { font: 0.9375rem/1.5 var(--sans); border-left: 5px solid var(--lab-rule); background: var(--lab-wash); color: var(--lab-ink); padding: 0.5rem 0.9rem; margin: 0.6rem 0; max-width: none; }
.grid { display: grid; grid-template-columns: repeat(24, minmax(0, 1fr)); gap: 0.6rem; margin-top: 1rem; }
.widget { grid-column: calc(var(--x) + 1) / span var(--w); grid-row: calc(var(--y) + 1) / span var(--h); min-width: 0; border: 1px solid var(--rule); border-radius: 3px; padding: 0.6rem 0.8rem; font: 0.8125rem/1.45 var(--sans); overflow-wrap: anywhere; }
.widget h2 { font: 600 0.875rem/1.35 var(--sans); margin: 0 0 0.4rem; letter-spacing: 0; }
.widget.text h2 { font-size: 1.0625rem; }
.widget h3 { font-size: 0.875rem; margin: 0.4rem 0 0.2rem; }
.widget p { max-width: none; margin: 0 0 0.5rem; }
.widget ul { margin: 0 0 0.5rem; padding-left: 1.1rem; }
.widget .chart { max-width: none; }
.widget .names { list-style: none; display: flex; flex-wrap: wrap; gap: 0.1rem 0.9rem; padding: 0; margin: 0.3rem 0 0; font-size: 0.75rem; color: var(--soft); }
.names .most { color: var(--ink); font-variant-numeric: tabular-nums; }
.names svg { width: 1.3em; height: 0.5em; margin-right: 0.35em; vertical-align: 0.08em; }
.widget .absent { color: var(--soft); font-size: 0.75rem; margin: 0.2rem 0 0; }
.widget .refused { color: var(--warn); font-size: 0.75rem; margin: 0.2rem 0 0; }
.widget .states { list-style: none; padding: 0; columns: 12rem; color: var(--soft); font-size: 0.75rem; margin: 0; }
.states .state { display: inline-block; width: 0.6em; height: 0.6em; border-radius: 50%; margin-right: 0.45em; background: var(--axis); }
.states .ok { background: var(--good); }
.widget .off { color: var(--bad); font-weight: 600; }
main.dashboard + footer { max-width: 87.5rem; margin-top: 1.5rem; }
@media (max-width: 60rem) { .widget { grid-column: 1 / -1; grid-row: auto; } }
@media print { .widget { break-inside: avoid; } }
`;
