import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import ts from 'typescript';
import * as z from 'zod';
import { makeProgram } from '../../lib/cli/program';
import { clientSchema } from '../../lib/schema/client';
import { deploymentSchema } from '../../lib/schema/deployment';
import { environmentSchema } from '../../lib/schema/environment';
import { titleOf } from '../../lib/schema/issue';
import { clientMetricsSchema, dashboardMetricsSchema, metricsSchema } from '../../lib/schema/metrics';
import { planSchema } from '../../lib/schema/plan';
import { manifestSchema, statusSchema } from '../../lib/schema/run';
import { sampleSchema } from '../../lib/schema/sample';
import { baselineSchema } from '../../lib/schema/summary';
import { nodesOf, SOURCES, sourceOf } from '../support/sources';
import { PROJECT } from './pages';

const HEAD = '<!-- Made from the code by `npm run reference`; a test compares it. -->';

/** In one line, as Markdown. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');

/** Commands that do something, with the words that call them. */
export function leavesOf(command: Command, before: string): { readonly words: string; readonly command: Command }[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible
    .filter((child) => child.name() !== 'help')
    .flatMap((child) => {
      const words = `${before} ${child.name()}`;
      return child.commands.length === 0 ? [{ words, command: child }] : leavesOf(child, words);
    });
}

/** An item of a list: an option with its meaning and default. */
function item({ flags, description, defaultValue }: Command['options'][number]): string {
  const given = Array.isArray(defaultValue) ? '' : (defaultValue ?? '');
  return `- \`${flags}\`: ${cell(description)}${given === '' ? '' : `; default: ${given}`}`;
}

/** Every command with its arguments and options; one of several commands is described once. */
export function commandsPage(): string {
  const silent = { root: PROJECT, environment: {}, out: () => {}, err: () => {} };
  const leaves = leavesOf(makeProgram(silent as never), 'fsxbench');
  const items = leaves.flatMap(({ command }) => command.options.map(item));
  const shared = [...new Set(items)].filter((one) => items.filter((other) => other === one).length > 1);
  const sections = leaves.map(({ words, command }) => {
    const description = command.description();
    const own = command.options.map(item).filter((one) => !shared.includes(one));
    const others = command.options.filter((option) => shared.includes(item(option))).map(({ long }) => `\`${long}\``);
    const usage = command.createHelp().commandUsage(command).replace(' [options]', '');
    return [
      `## ${words}`,
      ...(usage === words ? [] : [`\`${usage}\``]),
      `${description.charAt(0).toUpperCase()}${description.slice(1)}.`,
      ...(own.length === 0 ? [] : [own.join('\n')]),
      ...(others.length === 0 ? [] : [`Also ${others.join(', ')}.`]),
    ].join('\n\n');
  });
  return `${[
    '# Commands and options',
    HEAD,
    '[Commands](../commands.md) describes common features and the exit status.',
    '## Options of several commands',
    shared.join('\n'),
    ...sections,
  ].join('\n\n')}\n`;
}

interface Finding {
  readonly id: string;
  readonly severities: Set<string>;
  readonly text: string;
}

/** A text of the code with an ellipsis for what a run fills in; `null` for anything but a literal. */
function literal(node: ts.Expression | undefined): string | null {
  if (node === undefined) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join('');
  if (ts.isBinaryExpression(node)) return (literal(node.left) ?? '…') + (literal(node.right) ?? '…');
  if (ts.isConditionalExpression(node)) return literal(node.whenTrue);
  if (ts.isArrowFunction(node) && ts.isTemplateExpression(node.body)) return literal(node.body);
  return null;
}

const severitiesIn = (node: ts.Node): string[] =>
  nodesOf(node as never)
    .filter(ts.isStringLiteral)
    .flatMap(({ text }) => (/^(?:error|warning|note)$/.test(text) ? text : []));

/** Texts that are assigned in a part of the source to what has one of some names. */
const assignedIn = (node: ts.Node, ...names: readonly string[]): ts.Expression[] =>
  nodesOf(node as never).flatMap((each) =>
    (ts.isPropertyAssignment(each) || ts.isVariableDeclaration(each)) && names.includes(each.name.getText())
      ? (each.initializer ?? [])
      : [],
  );

/** A finding that an object is: it has an id, a severity and a message, or what is checked. */
function ofObject(node: ts.ObjectLiteralExpression): Pick<Finding, 'id' | 'text'> | null {
  const value = (name: string): ts.Expression | undefined => {
    const property = node.properties.find((each) => each.name?.getText() === name);
    return property !== undefined && ts.isPropertyAssignment(property) ? property.initializer : undefined;
  };
  const [id, checks] = [literal(value('id')), literal(value('checks'))];
  const text = checks ?? literal(value('message'));
  const isRule = checks !== null || node.properties.some((each) => each.name?.getText() === 'severity');
  return id === null || text === null || !isRule ? null : { id, text };
}

/** A finding that `rule` or `check` makes of an id, a severity, and a function that returns the message. */
function ofCall({ expression, arguments: [first, , judge] }: ts.CallExpression): Pick<Finding, 'id' | 'text'> | null {
  const id = literal(first);
  if (!/^(?:rule|check)$/.test(expression.getText()) || id === null || judge === undefined) return null;
  const text = assignedIn(judge, 'message').flatMap((message) => literal(message) ?? [])[0];
  return text === undefined ? null : { id, text };
}

/** Findings of rules in some sources. */
function findingsOf(wanted: RegExp): ReadonlyMap<string, Finding> {
  const found = new Map<string, Finding>();
  for (const path of SOURCES.filter((source) => wanted.test(source))) {
    for (const node of nodesOf(sourceOf(path))) {
      const call = ts.isCallExpression(node) ? node : null;
      const one = call ? ofCall(call) : ts.isObjectLiteralExpression(node) ? ofObject(node) : null;
      if (one === null || !/^[a-z][a-z0-9-]+$/.test(one.id)) continue;
      const own = [...(call?.arguments.slice(1, 2) ?? []), ...assignedIn(node, 'severity')].flatMap(severitiesIn);
      const known = found.get(one.id);
      found.set(one.id, { ...one, ...known, severities: new Set([...(known?.severities ?? []), ...own]) });
    }
  }
  return found;
}

/** Stages that find something, by the sources with their rules. */
const STAGES = { lint: /^lib\/(?:lint|workload)\//, plan: /^lib\/(?:plan|benchmark)\//, run: /^lib\/analysis\// };

const ROWS = readFileSync(join(PROJECT, 'test/docs/findings.tsv'), 'utf8').trimEnd().split('\n').slice(1);

/** Findings of a stage: the meaning, severity and remedy as far as the code does not say them without a gap. */
export function describedFindings(stage: keyof typeof STAGES) {
  const found = findingsOf(STAGES[stage]);
  const rows = ROWS.map((row) => row.split('\t')).filter(([of]) => of === stage);
  const ids = new Set([...found.keys(), ...rows.map(([, id = '']) => id)]);
  return [...ids].sort().map((id) => {
    const [, , meaning, severity = '', remedy = ''] = rows.find((row) => row[1] === id) ?? [];
    const { severities = new Set(), text = '' } = found.get(id) ?? {};
    return { id, severity: [...severities].sort().join(', ') || severity, meaning: meaning || text, remedy };
  });
}

/** Findings of a stage by severity, as lists of titles, meanings and ids; those with the same text are one item. */
function findingsLists(stage: keyof typeof STAGES): string {
  const lists = Map.groupBy(describedFindings(stage), ({ severity }) => severity);
  const blocks = [...lists]
    .sort(([one], [other]) => one.localeCompare(other))
    .flatMap(([severity, findings]) => {
      const items = Map.groupBy(findings, (one) => `**${titleOf(one.id)}**: ${one.meaning} ${one.remedy}`.trim());
      const lines = [...items].map(([text, same]) => {
        const ids = same.map(({ id }) => `\`${id}\``).join(', ');
        return `- ${`${text} (${ids})`.replaceAll(/(?<=\.) (?=[A-Z(])/g, '\n  ')}`;
      });
      return [`Severity ${severity.replace(', ', ' or ')}:`, lines.join('\n')];
    });
  return blocks.join('\n\n');
}

/** Faults of a command, a plan and a run, by the ids on which programs filter. */
export function findingsPage(): string {
  return `${[
    '# Findings',
    HEAD,
    'Ids are stable: programs may filter on them. An `error` makes a plan or a run INVALID, a `warning` WARN.',
    '## What `lint` finds in a command',
    '`lint` prints a corrected command with each finding that has one.',
    findingsLists('lint'),
    '## What `plan` finds before a run',
    findingsLists('plan'),
    '## What a report checks of a run',
    findingsLists('run'),
  ].join('\n\n')}\n`;
}

/** JSON Schemas of the documents that a run is made of, by the name of their file. */
export function schemas(): ReadonlyMap<string, string> {
  const documents = {
    plan: planSchema,
    deployment: deploymentSchema,
    client: clientSchema,
    manifest: manifestSchema,
    status: statusSchema,
    sample: sampleSchema,
    environment: environmentSchema,
    metrics: metricsSchema,
    'client-metrics': clientMetricsSchema,
    'dashboard-metrics': dashboardMetricsSchema,
    report: baselineSchema,
  };
  return new Map(
    Object.entries(documents).map(([name, schema]) => [
      `${name}.schema.json`,
      `${JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }), null, 2)}\n`,
    ]),
  );
}

/** Pages among them, by name. */
export const pages = (): ReadonlyMap<string, string> =>
  new Map([
    ['commands.md', commandsPage()],
    ['findings.md', findingsPage()],
  ]);
