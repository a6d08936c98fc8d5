import { withoutTurns } from '../format/printable';
import { html, type Markup, trusted } from './markup';
import { STYLE } from './style';

/** A self-contained page. */
export interface Frame {
  readonly title: string;
  /** Content of the body. */
  readonly body: Markup;
  /** Style of this page alone, after that of every page. @default - none */
  readonly style?: string;
}

/** One self-contained HTML file, in the look that all pages share. */
export function framed({ title, body, style = '' }: Frame): string {
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
