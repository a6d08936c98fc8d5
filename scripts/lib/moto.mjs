// What moto packages of EC2's own answers; the lab's Python environment has it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from './project.mjs';
import { ensureVenv } from './venv.mjs';

/** The release date of moto, which no file of it says: the first argument of a script. */
export function releaseDate() {
  const [, script, asOf] = process.argv;
  if (/^\d{4}-\d\d-\d\d$/.test(asOf ?? '')) return asOf;
  console.error(`the release date of moto is missing: node ${script} 2026-10-27`);
  process.exit(2);
}

/** The folder of moto's data on EC2, and its version. */
export async function motoResources() {
  const { python: interpreter } = await ensureVenv({ root });
  const site = join(interpreter, '../../lib');
  const [python] = readdirSync(site).filter((name) => name.startsWith('python3'));
  const packages = join(site, python, 'site-packages');
  const [release] = readdirSync(packages).filter((name) => /^moto-[\d.]+\.dist-info$/.test(name));
  const [, version] = /^moto-([\d.]+)\.dist-info$/.exec(release);
  return { folder: join(packages, 'moto/ec2/resources'), version };
}

/** A compressed JSON file. */
export const readCompressed = (file) => JSON.parse(gunzipSync(readFileSync(file)));
