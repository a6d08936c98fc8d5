import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCES } from '../support/sources';
import { PROJECT, textOf } from './pages';

const PAGE = textOf('docs/troubleshooting.md');
const SOURCE = [...SOURCES, 'bin/driver.ts', 'bin/requireNode.ts']
  .map((path) => readFileSync(join(PROJECT, path), 'utf8'))
  .join('\n')
  // A text that is continued in the next line is one text, and so is one with escaped quotes.
  .replaceAll(/['`] \+\s*['`]/g, '')
  .replaceAll("\\'", "'");

/** Words of messages, with which the items of all lists begin. */
const named = [...PAGE.matchAll(/^- (`.*?`): /gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words),
);

test('docs/troubleshooting.md has only messages that the program has', () => {
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((words) => !SOURCE.includes(words))).toEqual([]);
});

test('docs/troubleshooting.md has at most 120 lines', () => {
  expect(PAGE.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});
