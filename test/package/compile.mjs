// Compiles the project of the current folder with the older of the two compilers, which those who install the package may have. Prints what is wrong in
// its files and in the package's declarations; those of other packages, which it loads, test/package/package.test.ts has checked with the newer one.
import ts from 'typescript';

const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
const program = ts.createProgram(fileNames, options);
const isOwn = ({ fileName }) => fileNames.includes(fileName) || fileName.includes('/node_modules/fsxbench/');
const found = program
  .getSourceFiles()
  .filter(isOwn)
  .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
program.emit();
process.stdout.write(ts.formatDiagnostics([...errors, ...found], ts.createCompilerHost(options)));
