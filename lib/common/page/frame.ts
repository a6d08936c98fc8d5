import { withoutTurns } from '../format/text';
import { ARM_COLOURS, DARK_ARM_COLOURS } from './drawing';
import { html, type Markup, trusted } from './markup';
import style from './style.css';

const variables = (colours: readonly string[]): string =>
  colours.map((colour, index) => `--arm-${index}: ${colour};`).join(' ');

/** The style of every page, with the colours of arms. */
export const STYLE = `\n${style}`
  .replaceAll('/* ARM_COLOURS */', variables(ARM_COLOURS))
  .replace('/* DARK_ARM_COLOURS */', variables(DARK_ARM_COLOURS));

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
export function framed({ title, body, style: own = '' }: { title: string; body: Markup; style?: string }): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="fsxbench">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(STYLE)}${trusted(own)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  // Of the whole page: charts and data are not written by `html`.
  return withoutTurns(page.toString());
}
