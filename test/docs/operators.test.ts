import { makeProgram } from '../../lib/cli/program';
import { textOf } from './pages';
import { leavesOf } from './reference';

const [, section = ''] =
  /^## What each command reads, changes and costs\n([\s\S]*?)^## /m.exec(textOf('docs/commands.md')) ?? [];
const rows = [...section.matchAll(/^\| (`.*?) \|(.*)\|$/gm)].map(([, names = '', rest = '']) => ({
  names: [...names.matchAll(/`([^`]*)`/g)].map(([, name = '']) => name),
  cells: rest.split('|').map((cell) => cell.trim()),
}));

test('docs/commands.md says of every command what it reads, changes and costs, and of no other', () => {
  const silent = { root: '.', environment: {}, out: () => {}, err: () => {} };
  const commands = leavesOf(makeProgram(silent as never), '').map(({ words }) => words.trim());
  // `run` has a row for each place where it measures.
  const named = rows.flatMap(({ names }) => names.map((name) => name.replace(/ (?:BENCHMARK|--.*)$/, '')));
  expect([...new Set(named)].sort()).toEqual(commands.sort());
});

test('each row has every cell', () => {
  for (const { cells } of rows) expect(cells.filter((cell) => cell !== '')).toHaveLength(3);
});
