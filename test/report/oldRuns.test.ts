import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDrawing } from '../../lib/kit/page/drawing';
import { readRun, renderHtml, renderMarkdown, toJson } from '../../lib/report';
import { ADDED, DIFFERENCES, type Form } from './oldRunsDifferences';

const RUNS = join(__dirname, '..', 'fixtures', 'runs');
const names = readdirSync(RUNS, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

// Plot moves lines by half a pixel where it finds a test runner's `it`; the reports were written without one.
beforeAll(async () => {
  const { it } = globalThis;
  Reflect.deleteProperty(globalThis, 'it');
  await loadDrawing();
  globalThis.it = it;
});

/** Line breaks between the tags of a page: nobody sees them. */
function withoutBreaks(page: string): string {
  return page.replace(/>\n+/g, '>').replace(/\n+</g, '<');
}

/** What the report said then, with the differences that were made on purpose. */
function expected(name: string, form: Form): string {
  const then = readFileSync(join(RUNS, name, `expected.${form}`), 'utf8');
  return DIFFERENCES.filter((one) => one.forms.includes(form)).reduce(
    (text, { was, is }) => (typeof was === 'string' ? text.replaceAll(was, () => is) : text.replaceAll(was, is)),
    then,
  );
}

/** Sections that the Markdown did not have then are left out. */
function withoutAdded(markdown: string): string {
  return markdown
    .split(/^(?=## )/m)
    .filter((section) => !ADDED.some(({ heading }) => section.replace(' (INVALID)', '').startsWith(`## ${heading}\n`)))
    .join('');
}

describe.each(names)('the run %s is reported as it was', (name) => {
  test('as a page', async () => {
    const page = await renderHtml(await readRun(join(RUNS, name)));
    expect(withoutBreaks(page)).toBe(withoutBreaks(expected(name, 'html')));
  });

  test('as Markdown', async () => {
    expect(withoutAdded(renderMarkdown(await readRun(join(RUNS, name))))).toBe(expected(name, 'md'));
  });

  test('as JSON', async () => {
    expect(`${JSON.stringify(toJson(await readRun(join(RUNS, name))))}\n`).toBe(expected(name, 'json'));
  });
});

test('every difference that is listed is one that some report shows', () => {
  const texts = (forms: readonly Form[]): string[] =>
    names.flatMap((name) => forms.map((form) => readFileSync(join(RUNS, name, `expected.${form}`), 'utf8')));
  const shows = (text: string, was: string | RegExp): boolean =>
    typeof was === 'string' ? text.includes(was) : new RegExp(was).test(text);
  const unused = DIFFERENCES.filter(({ forms, was }) => !texts(forms).some((text) => shows(text, was)));
  expect(unused).toEqual([]);
});
