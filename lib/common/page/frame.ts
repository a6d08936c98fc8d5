import { withoutTurns } from '../format/text';
import { ARM_COLOURS, DARK_ARM_COLOURS } from './drawing';
import { html, type Markup, trusted } from './markup';

const variables = (colours: readonly string[]): string =>
  colours.map((colour, index) => `--arm-${index}: ${colour};`).join(' ');

/** The style of the report. A module, since the bundled command line must not need a second file at run time. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1d20; --soft: #585e66; --rule: #d5d8dc; --wash: #f6f6f3; --link: #0b57a4;
  --grid: #e7e8ea; --axis: #8a9098; --phase-write: #f1dfb8; --phase-read: #cfe3ee;
  ${variables(ARM_COLOURS)}
  --lab-ink: #5a3d00; --lab-wash: #fff4d6; --lab-rule: #d99a00;
  --good: #006b4f; --warn: #8a5a00; --bad: #a8201a;
  --serif: Charter, 'Bitstream Charter', 'Sitka Text', Cambria, Georgia, 'DejaVu Serif', serif;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --ink: #e4e5e6; --soft: #a6acb4; --rule: #3a3f46; --wash: #1e2125; --link: #8cc2f5;
    --grid: #2a2e33; --axis: #7c838c; --phase-write: #453716; --phase-read: #173a4d;
    ${variables(DARK_ARM_COLOURS)}
    --lab-ink: #f4d68d; --lab-wash: #2e2612; --lab-rule: #c18f1c;
    --good: #4cc9a0; --warn: #e5b04a; --bad: #ff8f86;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 var(--serif); overflow-wrap: break-word; }
main, footer { max-width: 52rem; margin: 0 auto; padding: 0 1.25rem; }
main { padding-top: 1.6rem; }
footer { padding-top: 1rem; padding-bottom: 3rem; margin-top: 4rem; border-top: 1px solid var(--rule); font: 0.8125rem/1.5 var(--sans); color: var(--soft); }
a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: 0.5rem; z-index: 1; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

h1, h2, h3 { font-weight: 600; line-height: 1.2; text-wrap: balance; }
h1 { font-size: clamp(1.45rem, 1.2rem + 1.2vw, 2.1rem); letter-spacing: -0.015em; margin: 0.1rem 0 0.4rem; }
h2 { font-size: 1.5rem; letter-spacing: -0.005em; margin: 4rem 0 0.9rem; }
h3 { font-size: 1.0625rem; margin: 2rem 0 0.5rem; }
p { margin: 0 0 0.9rem; max-width: 43rem; }
.kicker { font: 600 0.8125rem/1.4 var(--sans); letter-spacing: 0.04em; color: var(--soft); margin: 0; }
.meta { font: 0.8125rem/1.5 var(--sans); color: var(--soft); margin: 0 0 0.7rem; max-width: none; }
.place { font: 0.9375rem/1.5 var(--sans); color: var(--lab-ink); margin: 0 0 0.3rem; max-width: none; }
.place .badge { color: var(--lab-ink); background: var(--lab-wash); border-color: var(--lab-rule); text-decoration: none; }
.arms { list-style: none; margin: 0 0 1.4rem; padding: 0; font: 0.875rem/1.6 var(--sans); color: var(--soft); }
.arms .arm { color: var(--ink); margin-right: 0.4em; }
.soft { color: var(--soft); }
code, pre { font-family: var(--mono); font-size: 0.86em; }
.meta code { font-size: 0.93em; }
code { overflow-wrap: anywhere; }
.id { white-space: nowrap; }
p.soft { font: 0.875rem/1.5 var(--sans); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--wash); padding: 0.9rem 1rem; margin: 0 0 1rem; line-height: 1.5; border-radius: 3px; }
pre code { font-size: 1em; }
button { font: 0.8125rem/1 var(--sans); color: var(--ink); background: var(--paper); border: 1px solid var(--rule); border-radius: 3px; padding: 0.45rem 0.7rem; margin: 0 0 0.5rem; cursor: pointer; }

.arm { display: inline-block; max-width: 100%; font-weight: 600; overflow-wrap: anywhere; }
.mark { width: 0.62em; height: 0.62em; margin-right: 0.32em; overflow: visible; }

.lab { margin: 1.6rem 0 1.8rem; padding: 0.9rem 1.1rem; background: var(--lab-wash); border-left: 5px solid var(--lab-rule); color: var(--lab-ink); font: 0.9375rem/1.5 var(--sans); }
.lab p { margin: 0 0 0.3rem; }
.lab p:last-child { margin: 0; }
.lab .mark { display: none; }

.findings { margin: 1.2rem 0 1.4rem; }
.findings p { font-size: clamp(1.0625rem, 1rem + 0.35vw, 1.25rem); line-height: 1.4; margin-bottom: 0.65rem; max-width: none; }

.verdict { font: 0.9375rem/1.5 var(--sans); margin: 0; max-width: none; }
.verdict .badge { text-decoration: none; }
.mark-invalid { font: 600 0.72em/1 var(--sans); letter-spacing: 0.05em; color: var(--bad); border: 1.5px solid currentColor; border-radius: 3px; padding: 0.1em 0.35em; vertical-align: 0.12em; }
.verdict + .findings { margin: 0.7rem 0 0; }
.answers { display: grid; gap: 0.55rem; margin: 0 0 2rem; font: 0.9375rem/1.5 var(--sans); }
.answers div { display: grid; grid-template-columns: 9.5rem 1fr; gap: 0 1rem; border-top: 1px solid var(--rule); padding-top: 0.5rem; }
.answers dt { color: var(--soft); grid-row: 1 / span 9; }
.answers dd { margin: 0 0 0.2rem; grid-column: 2; }
.validity { margin: 2rem 0; font: 0.9375rem/1.5 var(--sans); }
.validity h2 { font: 600 0.9375rem/1.5 var(--sans); letter-spacing: 0; margin: 0 0 0.3rem; }
.validity p { margin: 0 0 0.4rem; }
.badge { display: inline-block; font-size: 0.75rem; letter-spacing: 0.06em; padding: 0.05rem 0.5rem; margin-right: 0.35rem; border: 1.5px solid currentColor; border-radius: 3px; }
.valid .badge { color: var(--good); } .warn .badge { color: var(--warn); } .invalid .badge { color: var(--bad); }
.issues { font: 0.9375rem/1.5 var(--sans); margin: 0.3rem 0 0.6rem; padding-left: 1.1rem; }
.issues li { margin: 0.25rem 0; }
.issues code { color: var(--soft); font-size: 0.8em; }

/* In sight throughout: a line at the top that scrolls sideways, and a column next to the page if it fits. */
nav { position: sticky; top: 0; z-index: 1; margin: 2.5rem 0 0; padding: 0.5rem 0; background: var(--paper); border-bottom: 1px solid var(--rule); font: 0.8125rem/1.5 var(--sans); }
nav ul { list-style: none; display: flex; overflow-x: auto; white-space: nowrap; gap: 0.2rem 1.25rem; margin: 0; padding: 0; }
:target, section, h2, .lab { scroll-margin-top: 3.2rem; }
@media (min-width: 82rem) {
  nav { position: fixed; top: 1.6rem; left: max(1rem, calc(50% - 41rem)); width: 12.5rem; margin: 0; padding: 0; border: 0; }
  nav ul { display: block; white-space: normal; }
  nav li { margin: 0.3rem 0; }
  nav a { text-decoration: none; }
  :target, section, h2, .lab { scroll-margin-top: 1rem; }
  /* A table wider than the column of text also uses the space next to it. */
  main:has(> nav) { max-width: 67rem; margin: 0 1rem 0 calc(50% - 26rem); }
  :where(main:has(> nav) > :not(section)), :where(main:has(> nav) > section > :not(.table)) { max-width: 49.5rem; }
  main:has(> nav) > section > .table > table { width: auto; min-width: 49.5rem; }
}
ul.plain { list-style: none; margin: 0 0 1rem; padding: 0; font: 0.875rem/1.7 var(--sans); }

.table {
  overflow-x: auto; margin: 0.4rem 0 1.2rem;
  /* A shade at an edge with more behind it; the first two scroll along and hide it at an end. */
  background:
    linear-gradient(to right, var(--paper) 40%, transparent) left / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--paper) 40%, transparent) right / 2.5rem 100% no-repeat local,
    linear-gradient(to right, var(--rule), transparent) left / 0.7rem 100% no-repeat scroll,
    linear-gradient(to left, var(--rule), transparent) right / 0.7rem 100% no-repeat scroll;
}
table { border-collapse: collapse; width: 100%; font: 0.875rem/1.45 var(--sans); }
caption { text-align: left; color: var(--soft); padding: 0 0 0.5rem; max-width: calc(100vw - 2.5rem); }
th, td { padding: 0.4rem 0.9rem 0.4rem 0; text-align: left; vertical-align: top; font-weight: 400; border-bottom: 1px solid var(--rule); }
thead th { color: var(--soft); font-weight: 600; vertical-align: bottom; border-bottom-color: var(--axis); }
thead th .arm { color: var(--ink); }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums lining-nums; }
td.number { white-space: nowrap; }
td.number .soft { white-space: normal; }
td .soft, th .soft { font-size: 0.93em; }
.group th { font-weight: 600; padding-top: 0.9rem; }
.overview table { table-layout: fixed; }
.overview thead th:first-child { width: 40%; }
.overview thead tr:has(th:nth-child(7)) th:first-child { width: 22%; }
.overview td .soft { display: inline-block; }
.overview th, .overview td { padding-top: 0.28rem; padding-bottom: 0.28rem; }
.overview .group th { padding-top: 0.8rem; }

.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.6rem 2.2rem; margin: 1.2rem 0; }
.charts.aside { align-items: start; grid-template-columns: 1fr; }
@media (min-width: 50rem) {
  .charts.aside:has(> figure + div) { grid-template-columns: minmax(0, 17rem) minmax(0, 1fr); }
}
figure, .charts > * { margin: 0; min-width: 0; }
figcaption { font: 0.8125rem/1.45 var(--sans); color: var(--soft); margin-top: 0.35rem; }
figcaption strong { color: var(--ink); }
figcaption .arm, p .arm { margin-right: 0.1em; }
.table .arm, .legend { white-space: nowrap; }
.overview thead .arm { white-space: normal; }
.chart { display: block; width: 100%; max-width: 27rem; height: auto; overflow: visible; font: 11px var(--sans); color: var(--soft); font-variant-numeric: tabular-nums; }
.wide .chart { max-width: 36rem; }
.broad .chart { max-width: none; font-size: 12px; }
.narrow { display: none; }
.charts:has(.broad) { grid-template-columns: 1fr; margin-top: 0.6rem; }
.swatch { display: inline-block; width: 1.1em; height: 0.8em; margin: 0 0.35em 0 0.6em; border: 1px solid var(--rule); vertical-align: -0.05em; }

details { margin: 0.3rem 0; font: 0.875rem/1.5 var(--sans); }
summary { cursor: pointer; padding: 0.3rem 0; color: var(--link); }
details > .table, details > ul, details > pre, details > .charts { margin-top: 0.5rem; margin-bottom: 1.4rem; }

.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: 0.7rem 2rem; margin: 1rem 0 1.4rem; font: 0.875rem/1.45 var(--sans); }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }

@media (max-width: 40rem) {
  main { padding-top: 1rem; }
  .broad { display: none; }
  .narrow { display: block; }
  body { font-size: 1rem; }
  h2 { margin-top: 3rem; }
  .answers div { grid-template-columns: 1fr; }
  .answers dt, .answers dd { grid-column: 1; grid-row: auto; }
  th, td { padding-right: 0.7rem; }
  .id { white-space: normal; }
  td code, td .id { display: inline-block; min-width: 7.5rem; }
  .overview table:has(thead th:nth-child(6)) { min-width: 36rem; }
  /* Its words would be too small to read: it scrolls. */
  .wide { overflow-x: auto; }
  .wide .chart { width: 34rem; max-width: none; }
}
@media print {
  :root {
    --paper: #fff; --ink: #000; --soft: #444; --rule: #bbb; --wash: #f4f4f4; --link: #000; --grid: #ddd; --axis: #777;
    --phase-write: #f1dfb8; --phase-read: #cfe3ee; --lab-ink: #000; --lab-wash: #fff4d6; --lab-rule: #b98300;
    ${variables(ARM_COLOURS)}
    --good: #004d39; --warn: #6b4600; --bad: #8a1a15;
  }
  @page { margin: 18mm 16mm; }
  body { font-size: 10pt; }
  main, footer { max-width: none; padding: 0; }
  nav, .skip, button { display: none; }
  h2 { margin-top: 1.8rem; }
  h2, h3, summary { break-after: avoid; }
  figure, tr, .lab, .validity { break-inside: avoid; }
  thead { display: table-header-group; }
  caption, thead, thead tr, tr.group { break-after: avoid; }
  tbody, tbody tr:first-child { break-before: avoid; }
  /* A short text stays whole. */
  table:not(:has(tbody tr:nth-child(16))) { break-inside: avoid; }
  .charts { grid-template-columns: 1fr 1fr; }
  .table { overflow: visible; background: none; }
  table { font-size: 8.5pt; }
  th, td { padding-right: 0.4rem; overflow-wrap: anywhere; }
  /* No column is narrower than a word of its head, or a part of an id. */
  thead th, td .id { overflow-wrap: break-word; }
  .id { white-space: normal; }
  .lab, .swatch, .chart { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

/** Script of a report, which works without it: opens details for printing, and adds buttons that copy commands. */
export const SCRIPT = `
(function () {
  var opened = [];
  addEventListener('beforeprint', function () {
    opened = opened.concat(Array.from(document.querySelectorAll('details[data-print]:not([open])')));
    opened.forEach(function (element) { element.open = true; });
  });
  addEventListener('afterprint', function () {
    opened.forEach(function (element) { element.open = false; });
    opened = [];
  });
  if (!navigator.clipboard) return;
  document.querySelectorAll('#rerun ~ pre').forEach(function (block) {
    var button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', function () {
      navigator.clipboard.writeText(block.textContent).then(function () { button.textContent = 'Copied'; });
    });
    block.before(button);
  });
})();
`;

/** One self-contained HTML file, in the look that all pages share. @param page its own style follows that of every page */
export function framed({ title, body, style = '' }: { title: string; body: Markup; style?: string }): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="fsxbench">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(STYLE)}${trusted(style)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  // Of the whole page: charts and data are not written by `html`.
  return withoutTurns(page.toString());
}
