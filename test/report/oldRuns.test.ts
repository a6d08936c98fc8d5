import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { summarise as summariseRun } from '../../lib/analysis/summary';
import type { RuleOutcome } from '../../lib/analysis/validity';
import { loadDrawing } from '../../lib/kit/page/drawing';
import { type RunSummary, readRun, renderHtml, renderMarkdown, toJson } from '../../lib/report';
import { ADDED, DIFFERENCES, type Difference, type Form, REDRAWN, RENAMED } from './oldRunsDifferences';

const RUNS = join(__dirname, '..', 'fixtures', 'runs');
const names = readdirSync(RUNS, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

// Plot moves lines by half a pixel where it finds a test runner's `it`; the reports were written without one.
beforeAll(async () => {
  const { it } = globalThis;
  Reflect.deleteProperty(globalThis, 'it');
  await loadDrawing();
  globalThis.it = it;
});

/** Rules that passed, or did not apply, where they know now that they could have found nothing. */
const STATE_THEN: Readonly<Record<string, 'passed' | 'does not apply'>> = {
  'missing-ranks': 'passed',
  'stonewall-wear-out': 'passed',
  'faster-than-network': 'passed',
  outliers: 'passed',
  'burst-credits': 'does not apply',
  'throughput-drift': 'does not apply',
};
/** Rules that came later. */
const LATER = [
  ...['missing-bytes', 'busy-client', 'other-writers', 'read-from-cache', 'free-space-coarse', 'dependent-repeats'],
];
const UNSAID = 'what nobody had said then';

/** A run as it was judged before a rule that passes had to say what it could have found. */
function judgedAsThen(summary: RunSummary): RunSummary {
  const { analysis, issues } = summary;
  const [level] = analysis.levels;
  const withoutOpen = issues.filter(({ id }) => id !== 'cannot-tell');
  const then = analysis.checks.filter(({ id }) => !LATER.includes(id));
  const checks = then.map((check): RuleOutcome => {
    if (check.state === 'passed' || check.state === 'found') return { ...check, couldFind: UNSAID };
    const state = STATE_THEN[check.id];
    if (check.state === 'not checked' || state === undefined) return check;
    if (state === 'passed') return { ...check, state, reason: null, couldFind: UNSAID } as RuleOutcome;
    return { ...check, state, reason: level?.reason ?? 'no throughput was measured' } as RuleOutcome;
  });
  return {
    ...summary,
    issues: withoutOpen,
    analysis: { ...analysis, checks, issues: withoutOpen },
  };
}

const summaryOf = async (name: string): Promise<RunSummary> =>
  judgedAsThen(summariseRun(await readRun(join(RUNS, name))));

/** Line breaks between the tags of a page, which nobody sees, are made alike: one before each tag. */
function withBreaks(page: string): string {
  return page.replace(/>\n+/g, '>').replace(/\n*</g, '\n<');
}

const withDifference = (text: string, { was, is }: Difference): string =>
  typeof was === 'string' ? text.replaceAll(was, () => is) : text.replace(was, is);

/** The page without the parts that were written anew, and with the digits of figures that both have. */
function comparable(page: string): string {
  const kept = REDRAWN.reduce((text, { part }) => text.replace(part, ''), page);
  return withBreaks(kept.replace(/(?<=<td class="number">)[\d,.]+(?=<| [a-zA-Z])/g, threeDigits));
}

/** Tables have had a fourth digit since their quotients fit them. */
function threeDigits(number: string): string {
  return String(Number(Number(number.replaceAll(',', '')).toPrecision(3)));
}

/**
 * Student's quantiles come from another library, whose eighth digit is another, and its power from an integral; intervals name what they allow
 * for.
 */
const comparableJson = (json: string): string =>
  json
    .replace(/-?\d+\.\d{6,}(e-?\d+)?/g, (number) => String(Number(Number(number).toPrecision(7))))
    .replace(/(?<="minimumDetectable":)[\d.e-]+/g, (number) => Number(number).toPrecision(2))
    .replaceAll('"t averaged over autocorrelations, and studentised bootstrap"', '"t and studentised bootstrap"')
    .replaceAll('"t averaged over autocorrelations"', '"t"');

/** What the report said then, with the differences that were made on purpose. */
function expected(name: string, form: Form): string {
  const then = readFileSync(join(RUNS, name, `expected.${form}`), 'utf8');
  return DIFFERENCES.filter((one) => one.forms.includes(form)).reduce(withDifference, then);
}

/** The Markdown by its headings; what stands above the first one is under ''. */
function partsOf(markdown: string): Map<string, string> {
  return new Map(
    markdown.split(/^(?=## )/m).map((part) => {
      const [, heading = ''] = /^## (.*)\n/.exec(part) ?? [];
      return [heading.replace(' (INVALID)', ''), part];
    }),
  );
}

/** Numbers of the tables as they are printed, without their units. How many values there are is left out where the values themselves are listed. */
function numbersOf(markdown: string): string[] {
  return markdown.split(/\n\n+/).flatMap((block) => {
    if (!block.startsWith('|')) return [];
    const [head = [], , ...rows] = block.split('\n').map((row) => row.split(/(?<!\\)\|/));
    const counts = head.flatMap((label, index) => (/^ (Samples|Pairs) $/.test(label) ? [index] : []));
    const cells = rows.flatMap((row) => row.filter((_, index) => !counts.includes(index)));
    return cells.join(' ').match(NUMBER) ?? [];
  });
}

const NUMBER = /\d[\d,]*(?:\.\d+)?/g;

describe.each(names)('the run %s is reported as it was', (name) => {
  test('as a page', async () => {
    const page = (await renderHtml(await summaryOf(name))).replaceAll(`could have found ${UNSAID}`, '');
    expect(comparable(page)).toBe(comparable(expected(name, 'html')));
  });

  test('as Markdown: the same result, verdict, answers and issues', async () => {
    const [then, now] = [expected(name, 'md'), renderMarkdown(await summaryOf(name))];
    // Circumstances stand as on the page: whether a run is done, and that it ran so long.
    const result = (markdown: string): string =>
      (partsOf(markdown).get('') ?? '').replace(/^.* · run `.*$|^# .*$/gm, '');
    expect(result(now)).toBe(result(then));
    const issues = (markdown: string): string[] =>
      markdown.split('\n').filter((row) => /^- \*\*(error|warning|note)/.test(row));
    expect(issues(now)).toEqual(issues(then));
  });

  // Its tables are those of the page now, with more columns; a second copy of each could not stay.
  test('as Markdown: no section and no figure of a table is lost', async () => {
    const [then, now] = [expected(name, 'md'), renderMarkdown(await summaryOf(name))].map(partsOf);
    for (const [heading, part] of then ?? []) {
      const found = now?.get(RENAMED[heading] ?? heading.replace('First and last done', 'Stragglers')) ?? '';
      const known = new Set(found.match(NUMBER)?.map(threeDigits));
      const lost = numbersOf(REDRAWN.reduce((text, { markdown }) => text.replace(markdown, ''), part))
        .map(threeDigits)
        .filter((number) => !known.has(number));
      expect({ heading, lost }).toEqual({ heading, lost: [] });
    }
  });

  test('as JSON, which has the sections besides', async () => {
    const { sections, ...document } = toJson(await summaryOf(name));
    const then = JSON.stringify(document, (key, value) => (ADDED.includes(key) ? undefined : value));
    expect(comparableJson(`${then}\n`)).toBe(comparableJson(expected(name, 'json')));
    expect(sections.map(({ id }) => id)).toContain('throughput');
  });
});

test('every difference that is listed is one that some report shows', () => {
  const texts = new Map(
    (['html', 'md', 'json'] as const).map((form) => [
      form,
      names.map((name) => readFileSync(join(RUNS, name, `expected.${form}`), 'utf8')),
    ]),
  );
  const unused = DIFFERENCES.filter((difference) => {
    let shown = false;
    for (const form of difference.forms) {
      const after = (texts.get(form) ?? []).map((text) => withDifference(text, difference));
      shown ||= after.some((text, index) => text !== texts.get(form)?.[index]);
      texts.set(form, after);
    }
    return !shown;
  });
  expect(unused).toEqual([]);
});
