import ts from 'typescript';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { nodesOf, SOURCES, sourceOf } from '../support/sources';

// That only the registry imports a benchmark's folder, and a benchmark no other's inside, test/architecture.test.ts sees to.

const NAMES = BENCHMARKS.map(({ name }) => name);
const PLANS = ['paired', 'published', ...BENCHMARKS.flatMap(({ plans }) => plans.map(({ name }) => name))];

const isEngine = (path: string): boolean =>
  !/^lib\/benchmark\/[a-z]+\//i.test(path) && path !== 'lib/benchmark/registry.ts';

/** Places in which a benchmark, or one of its plans, is known by name: a literal, a key, a comparison. Prose for people is free. */
function namesIn(file: ts.SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    const at = `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1} ${node.getText(file)}`;
    if (ts.isStringLiteralLike(node) && NAMES.includes(node.text)) return [at];
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && NAMES.includes(node.name.text)) return [at];
    if (ts.isPropertyAccessExpression(node) && NAMES.includes(node.name.text)) return [at];
    // `published` is also a scale: only a comparison with it asks for a plan.
    if (ts.isStringLiteralLike(node) && PLANS.includes(node.text) && ts.isBinaryExpression(node.parent))
      return /\bplan(?:\.name|\.plan)?$/.test(node.parent.left.getText(file)) ? [at] : [];
    return [];
  });
}

const parsed = (text: string): ts.SourceFile => ts.createSourceFile('engine.ts', text, ts.ScriptTarget.Latest, true);

test('what looks for names finds them in every form', () => {
  const engine = `
    const a = name === 'CompressionBench'; const b = { MetadataBench: 1 }; const c = all.CompressionBench;
    const d = plan === 'paired'; const e = request.plan !== 'published';
    // 'CompressionBench' in a comment
    const f = 'such as CompressionBench'; const g = scale === 'published';`;
  expect(namesIn(parsed(engine))).toHaveLength(5);
});

test('no engine knows a benchmark or a plan of one by name', () => {
  const engines = SOURCES.filter(isEngine);
  expect(engines.flatMap((path) => namesIn(sourceOf(path)))).toEqual([]);
});
