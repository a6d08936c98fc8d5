import { statSync } from 'node:fs';
import { Option } from 'commander';
import { UsageError } from '../context';

/** Collects the values of an option that can be given several times. */
export const collect = (value: string, earlier: readonly string[] = []): string[] => [...earlier, value];

const repeatable = (flags: string, description: string): Option =>
  new Option(flags, description).default([]).argParser(collect);

export const JSON_DOCUMENT = new Option('--json', 'print one JSON document');
export const RESULTS = new Option('--results <folder>', 'local results folder')
  .default('results')
  .argParser((folder) => {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== false) return folder;
    throw new UsageError(`'--results' must be a folder, which need not be there yet, got the file '${folder}'`);
  });
export const REGION = new Option('--region <region>', 'Region of the list prices; default: AWS_REGION, else us-east-1');
export const PARAMETERS = repeatable('--set <key=value>', 'a parameter of the plan; repeatable');
export const ALLOW = repeatable('--allow <id>', 'a finding about the command to accept; repeatable');
export const CONTEXT = repeatable('-c, --context <key=value>', 'a stack setting, as for cdk deploy; repeatable');
const FILES = 'your own files, which give the ratio and the space that such files take; repeatable';
export const DATA = new Option('--data <path>', FILES).argParser(collect);

/** Options of `run --on`, `plan --on` and `doctor --on`. */
export const AS = new Option(
  '--as <kind:configuration>',
  'with --on, the configuration, such as lustre:PERSISTENT_2:500,12TiB or efs:efsThroughputMode=elastic; default: ask AWS',
);
export const NODES = new Option(
  '--nodes <number>',
  'with --on, measure from this many Slurm nodes: in this allocation, or in a new one',
);
export const SLURM = new Option(
  '--slurm <options>',
  "with --nodes, options for the allocation, such as '--partition=c5n --time=1:00:00'",
);
export const HOSTS = new Option(
  '--hosts <names>',
  'with --on, measure from these hosts over ssh: comma-separated names, or a file with one per line',
);
export const SHARED = new Option(
  '--shared <directory>',
  'a directory that all nodes see, for scripts and built tools; default: this project',
);
export const MODULE = repeatable(
  '--module <name>',
  'with --on, an environment module to load first, such as openmpi/4.1.6; repeatable',
);
export const RANKS = new Option(
  '--ranks <number>',
  'with --on, processes per node: of the plan, or of the srun or mpirun after --',
);
export const LIKE = new Option('--like <log>', 'with --on, replay with IOR what a program did, from its Darshan log');
