import type { RunSummary } from '../analysis/summary';
import { singleLine, withoutTurns } from '../common/format/text';
import { type Issue, titleOf as titleOfIssue } from '../schema/issue';
import { answers, validitySentence } from './answers';
import { type Block, type ChartsBlock, type Inline, line, type TableBlock, type TableField, type Text } from './blocks';
import { findings } from './findings';
import { isMarked, notice, runSummaryLine, sideBySide } from './overview';
import { sectionsOf } from './sections';
import { blocksWithoutPage, isQuantity, isShown, plainText, quantityText, withoutEmptyColumns } from './shown';
import { titleOf } from './title';

/** The report for a terminal, an issue or a pull request: as paper has it, with figures in place of charts. */
export function renderMarkdown(run: RunSummary): string {
  const invalid = isMarked(run) ? '**INVALID** ' : '';
  const parts = [
    `# ${textMarkdown(titleOf(run))}`,
    textMarkdown(line`${[run.benchmark, ...runSummaryLine(run)].join(' · ')} · run ${{ code: run.run }}`),
    ...blocksMarkdown([notice(run)]),
    `**${run.validity}.** ${textMarkdown(validitySentence(run))}`,
    ...findings(run).map((sentence) => `${invalid}${textMarkdown(sentence)}`),
    answers(run)
      .map(({ question, isResult, sentences }) => {
        const words = sentences.map((sentence) => textMarkdown(sentence)).join(' ');
        return `- **${textMarkdown(question)}:** ${isResult ? invalid : ''}${words}`;
      })
      .join('\n'),
    `## Validity: ${run.validity}`,
    ...blocksMarkdown([{ kind: 'issues', issues: run.issues }, sideBySide(run)]),
    ...sectionsOf(run).flatMap(({ title, isResult, blocks }) => {
      const content = blocksMarkdown(blocksWithoutPage(blocks));
      const mark = isResult && invalid !== '' ? ' (INVALID)' : '';
      return content.length === 0 ? [] : [`## ${textMarkdown(title)}${mark}`, ...content];
    }),
  ];
  return withoutTurns(`${parts.filter((part) => part !== '').join('\n\n')}\n`);
}

/** Blocks as Markdown, each its own paragraph: as paper has them, with figures in place of charts. */
export const blocksMarkdown = (blocks: readonly (Block | null | false)[], depth = 3): string[] =>
  blocks.filter(isShown).flatMap((block) => blockMarkdown(block, depth));

function blockMarkdown(block: Block, depth: number): string[] {
  switch (block.kind) {
    case 'text':
      return filled([textMarkdown(block.text).trim()]);
    case 'heading':
      return [`${'#'.repeat(depth)} ${textMarkdown(block.text)}`];
    case 'facts': {
      const facts = block.facts.filter(([, value]) => plainText(value) !== '');
      return filled([items(facts.map(([name, value]) => `${textMarkdown(name)}: ${textMarkdown(value)}`))]);
    }
    case 'table':
      return tableMarkdown(block);
    case 'charts':
      return chartsMarkdown(block, depth);
    case 'details':
      return block.everyFormat ? [`**${textMarkdown(block.summary)}**`, ...blocksMarkdown(block.blocks, depth)] : [];
    case 'list':
      return filled([items(block.items.map((item) => textMarkdown(item)))]);
    case 'code':
      return [fenced(block.code, block.language ?? '')];
    case 'callout':
      return block.lines.map(
        (line, index) => `> ${index === 0 ? `**${escaped(block.title)}.** ` : ''}${textMarkdown(line)}`,
      );
    case 'issues':
      return filled([items(block.issues.map(issueMarkdown))]);
  }
}

const filled = (parts: readonly string[]): string[] => parts.filter((part) => part !== '');

const items = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

function issueMarkdown({ id, severity, message, expected, actual, suggestion, allowed = false }: Issue): string {
  const next = suggestion === undefined ? '' : ` Next: ${escaped(suggestion)}.`;
  return `**${severity}${allowed ? ', allowed' : ''}: ${escaped(titleOfIssue(id))}.** ${escaped(message)} Expected ${escaped(expected)}; found ${escaped(actual)}.${next} ${codeSpan(id)}`;
}

/** The figures that charts are drawn from, or else the charts' descriptions. */
function chartsMarkdown({ charts, figures = [] }: ChartsBlock, depth: number): string[] {
  const data = blocksMarkdown(figures, depth);
  const inWords = figures.length === 0;
  return inWords ? charts.map(({ title, description }) => `${escaped(title)}: ${escaped(description)}`) : data;
}

function tableMarkdown(block: TableBlock): string[] {
  const { caption, captionHidden, columns, rows } = withoutEmptyColumns(block);
  const line = (cells: readonly string[]): string => `| ${columns.map((_, index) => cells[index] ?? '').join(' | ')} |`;
  const rule = columns.map(({ numeric }) => (numeric ? '--:' : '---'));
  const grid = [
    line(columns.map(({ label }) => textMarkdown(label, true))),
    line(rule),
    ...rows.map((row) => line(row.map((field) => fieldMarkdown(field, row.length === 1)))),
  ].join('\n');
  return captionHidden ? [grid] : [`${escaped(caption)}:`, grid];
}

function fieldMarkdown(field: TableField, isGroup: boolean): string {
  const words = textMarkdown(isQuantity(field) ? quantityText(field) : field, true);
  return isGroup ? `**${words}**` : words;
}

/** A line with its marks as Markdown. In a table arms need not stand out, and a bar would end the cell even within code. */
function textMarkdown(text: Text, inTable = false): string {
  if (text === null || text === undefined || text === false) return '';
  if (typeof text === 'string' || typeof text === 'number') return escaped(String(text));
  if (Array.isArray(text)) return text.map((piece) => textMarkdown(piece, inTable)).join('');
  return inlineMarkdown(text as Inline, inTable);
}

function inlineMarkdown(inline: Inline, inTable: boolean): string {
  const within = (text: Text): string => textMarkdown(text, inTable);
  const code = (value: string): string => (inTable ? codeSpan(value).replaceAll('|', '\\|') : codeSpan(value));
  if ('arm' in inline) return inTable ? escaped(inline.arm) : `**${escaped(inline.arm)}**`;
  if ('strong' in inline) return `**${within(inline.strong)}**`;
  if ('soft' in inline) return within(inline.soft);
  if ('below' in inline) return ` (${within(inline.below)})`;
  if ('line' in inline) return `${within(inline.line)}; `;
  if ('validity' in inline) return inline.validity;
  if ('invalid' in inline) return '**INVALID** ';
  if ('code' in inline) return code(inline.code);
  if ('id' in inline) return code(inline.id);
  if ('onPage' in inline) return '';
  if ('swatch' in inline) return escaped(inline.swatch);
  // A link into the run's folder leads nowhere from an issue or a terminal.
  return /^https:/.test(inline.link) ? `[${within(inline.text)}](${inline.link})` : within(inline.text);
}

/** Text with everything that Markdown or HTML would act on made harmless, on one line. */
const escaped = (value: string): string =>
  singleLine(value)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]#|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

function fence(value: string, min: number): string {
  const longest = Math.max(0, ...[...value.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(min, longest + 1));
}

/** A code span that holds whatever it is given. */
function codeSpan(value: string): string {
  const marks = fence(value, 1);
  const space = value.includes('`') ? ' ' : '';
  return `${marks}${space}${singleLine(value).replace(/\s+/g, ' ')}${space}${marks}`;
}

function fenced(value: string, language: string): string {
  const marks = fence(value, 3);
  return `${marks}${language}\n${value}\n${marks}`;
}
