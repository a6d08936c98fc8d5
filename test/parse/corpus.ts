import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Real outputs of the tools, each with the figures that two independent extractions agreed on. */
export const FIXTURES = join(__dirname, '..', 'fixtures', 'tools');

// biome-ignore lint/suspicious/noExplicitAny: the expected files have a shape of their own for each format
export type Expected = any;

export interface Case {
  readonly id: string;
  readonly path: string;
  readonly expected: Expected;
}

/** Every format of which there are outputs. */
export const FORMATS = [
  ...['ior-text', 'ior-json', 'ior-csv', 'mdtest-text', 'fio-json', 'fio-text'],
  ...['elbencho-text', 'smallfile', 'shell-time', 'du', 'command', 'stream', 'dask', 'lazyload'],
  ...['rung', 'iperf3', 'lst', 'fi_pingpong', 'zfs-tools', 'proc-stat'],
];

/** The cases of the formats, by name: `ior-text`, `fio-json` … */
export function casesOf(...formats: string[]): Case[] {
  return readdirSync(FIXTURES)
    .filter((name) => name.endsWith('.expected.json'))
    .map((name) => {
      const expected = JSON.parse(readFileSync(join(FIXTURES, name), 'utf8'));
      return { id: name.replace('.expected.json', ''), path: join(FIXTURES, expected.source), expected };
    })
    .filter(({ expected }) => formats.includes(expected.format));
}
