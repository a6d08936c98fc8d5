import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

/** The project's root. */
export const ROOT = join(__dirname, '..', '..');

/** Sources of the project, by their path from its root. */
export const SOURCES: readonly string[] = ['bin', 'lib'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name))
    .sort(),
);

/** One import or re-export, static or not. */
export interface Import {
  /** Path of the source from the root with its ending, or the name of a package. */
  readonly target: string;
  /** Nothing of it is left when the program runs. */
  readonly typeOnly: boolean;
}

const parsed = new Map<string, ts.SourceFile>();

/** The syntax tree of a source. */
export function sourceOf(path: string): ts.SourceFile {
  const before = parsed.get(path);
  if (before !== undefined) return before;
  const file = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
  parsed.set(path, file);
  return file;
}

/** Every node of a tree. */
export function nodesOf(file: ts.SourceFile): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Imports of a tree; `path` is the place in it. */
export function importsOf(file: ts.SourceFile, path = file.fileName): Import[] {
  return nodesOf(file).flatMap((node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return [];
    return [{ target: targetOf(path, specifier.text), typeOnly: isTypeOnly(node) }];
  });
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return node.arguments[0];
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
  return undefined;
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  if (!ts.isImportDeclaration(node)) return false;
  const clause = node.importClause;
  if (clause === undefined || clause.isTypeOnly) return clause !== undefined;
  const names = clause.namedBindings;
  return (
    clause.name === undefined &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.every((element) => element.isTypeOnly)
  );
}

const FILES = new Set(SOURCES);

function targetOf(path: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const target = relative(ROOT, resolve(ROOT, dirname(path), specifier));
  return [`${target}.ts`, join(target, 'index.ts')].find((file) => FILES.has(file)) ?? target;
}
