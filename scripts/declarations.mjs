// Writes the declarations (.d.ts) of the package's entries into dist/, before `npm pack`: of every module only what an entry needs, so that
// neither an SDK nor CDK is asked for by a program that uses neither.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const ENTRIES = ['index', 'constructs', 'schemas'];
/** Everything of a module. */
const ALL = '*';

/** The text of each module's declarations, by its path without an ending. */
function emitted() {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = [
    ...ENTRIES.map((name) => join(root, 'lib', `${name}.ts`)),
    join(root, 'lib/kit/statistics/cephes.d.ts'),
  ];
  const program = ts.createProgram(files, {
    ...options,
    noEmit: false,
    incremental: false,
    tsBuildInfoFile: undefined,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir: root,
  });
  const texts = new Map();
  program.emit(undefined, (path, text) => texts.set(path.replace(/\.d\.ts$/, ''), text));
  return texts;
}

const texts = emitted();

/** Every name that a statement mentions. */
function namesIn(node) {
  const names = new Set();
  const visit = (each) => {
    if (ts.isIdentifier(each)) names.add(each.text);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return names;
}

/** A module with its statements, and by name those that declare or import it. */
class Module {
  constructor(path) {
    this.path = path;
    this.source = ts.createSourceFile(`${path}.d.ts`, texts.get(path), ts.ScriptTarget.Latest, true);
    this.needed = new Set();
    this.declaring = new Map();
    for (const statement of this.source.statements)
      for (const name of this.declared(statement))
        this.declaring.set(name, [...(this.declaring.get(name) ?? []), statement]);
  }

  declared(statement) {
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.text);
    if (ts.isImportDeclaration(statement)) {
      const { name, namedBindings } = statement.importClause;
      if (namedBindings && ts.isNamespaceImport(namedBindings)) return [namedBindings.name.text];
      return [...(name ? [name.text] : []), ...(namedBindings?.elements ?? []).map((one) => one.name.text)];
    }
    if (ts.isExportDeclaration(statement)) return (statement.exportClause?.elements ?? []).map((one) => one.name.text);
    return statement.name ? [statement.name.text] : [];
  }
}

const modules = new Map();
const moduleAt = (path) => modules.get(path) ?? modules.set(path, new Module(path)).get(path);

/** The module that a specifier of this project means; undefined for a package. */
function targetOf({ path }, specifier) {
  if (!specifier.startsWith('.')) return undefined;
  const at = join(dirname(path), specifier);
  return moduleAt(texts.has(at) ? at : join(at, 'index'));
}

/** What `import('./module').Name` in a statement means. */
function inlineImports(module, node) {
  const visit = (each) => {
    if (ts.isImportTypeNode(each)) {
      const target = targetOf(module, each.argument.literal.text);
      if (target !== undefined) need(target, each.qualifier?.getText().split('.')[0] ?? ALL);
    }
    ts.forEachChild(each, visit);
  };
  visit(node);
}

/** Marks a name of a module, and all that it mentions, as needed. */
function need(module, name) {
  if (name === ALL) for (const each of module.declaring.keys()) need(module, each);
  if (module.needed.has(name)) return;
  module.needed.add(name);
  for (const statement of module.declaring.get(name) ?? []) {
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) follow(module, statement, name);
    else {
      for (const each of namesIn(statement)) if (module.declaring.has(each)) need(module, each);
      inlineImports(module, statement);
    }
  }
}

function follow(module, statement, name) {
  const bindings = ts.isExportDeclaration(statement) ? statement.exportClause : statement.importClause.namedBindings;
  const element = bindings?.elements?.find((one) => one.name.text === name);
  const original = (element?.propertyName ?? element?.name)?.text ?? ALL;
  if (statement.moduleSpecifier === undefined) return need(module, original);
  const target = targetOf(module, statement.moduleSpecifier.text);
  if (target !== undefined) need(target, original);
}

/** The needed part of a module. */
function textOf(module) {
  const parts = module.source.statements.flatMap((statement) => {
    const names = module.declared(statement);
    const kept = names.filter((name) => module.needed.has(name));
    if (kept.length === 0) return [];
    const text = statement.getFullText();
    const bindings = ts.isImportDeclaration(statement)
      ? statement.importClause.namedBindings
      : ts.isExportDeclaration(statement) && statement.exportClause;
    if (!bindings || (!ts.isNamedImports(bindings) && !ts.isNamedExports(bindings))) return [text];
    const elements = bindings.elements.filter((one) => kept.includes(one.name.text)).map((one) => one.getText());
    const start = statement.getFullStart();
    return [
      `${text.slice(0, bindings.getStart() - start)}{ ${elements.join(', ')} }${text.slice(bindings.getEnd() - start)}`,
    ];
  });
  // A module without import and export would be a script.
  return `${parts.join('').trim()}\nexport {};\n`;
}

for (const entry of ENTRIES) need(moduleAt(join(root, 'lib', entry)), ALL);
for (const name of readdirSync(dist)) if (/\.d\.m?ts$/.test(name)) rmSync(join(dist, name));
rmSync(join(dist, 'types'), { recursive: true, force: true });
for (const module of modules.values()) {
  if (module.needed.size === 0) continue;
  const path = join(dist, 'types', `${relative(join(root, 'lib'), module.path)}.d.ts`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, textOf(module));
}
for (const entry of ENTRIES) {
  writeFileSync(join(dist, `${entry}.d.ts`), `export * from './types/${entry}';\n`);
  writeFileSync(join(dist, `${entry}.d.mts`), `export * from './${entry}.js';\n`);
}
