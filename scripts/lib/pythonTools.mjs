// Installs what checks need beyond the lab's Python, for its interpreter, each into .lab/NAME from assets/NAME/requirements.txt: ParallelCluster's
// schema and validators, and Checkov. Does nothing if they are up to date.
//
// usage: node scripts/lib/pythonTools.mjs NAME…
import { root } from './project.mjs';
import { ensureTool, ensureVenv, reporting } from './venv.mjs';

await reporting(async () => {
  const python = await ensureVenv({ root, onProgress: (line) => process.stderr.write(`${line}\n`) });
  await Promise.all(process.argv.slice(2).map((name) => ensureTool(root, name, python)));
});
