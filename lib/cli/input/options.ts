import { Option } from 'commander';

/** Collects the values of an option that can be given several times. */
export const collect = (value: string, earlier: string[]): string[] => [...earlier, value];

/** Options that several commands have. */
export const JSON_DOCUMENT = new Option('--json', 'print one JSON document');
export const RESULTS = new Option('--results <folder>', 'local results folder').default('results');
export const REGION = new Option('--region <region>', 'Region of the list prices; default: AWS_REGION, else us-east-1');
export const PRICES = new Option(
  '--prices <file>',
  'price file that overrides the built-in prices; default: prices.json, if it exists',
);
export const PARAMETERS = new Option('--set <key=value>', 'a parameter of the plan; repeatable')
  .default([])
  .argParser(collect);
export const ALLOW = new Option('--allow <id>', 'a finding of the command that stops nothing; repeatable')
  .default([])
  .argParser(collect);

/** Options of `run --on`, `plan --on` and `doctor --on`. */
export const AS = new Option(
  '--as <kind:configuration>',
  'with --on, the configuration, such as lustre:PERSISTENT_2:500,12TiB or efs:efsThroughputMode=elastic; default: ask AWS',
);
export const NODES = new Option(
  '--nodes <number>',
  'with --on, measure from so many nodes of Slurm: of this allocation, or of one that is asked for',
);
export const SLURM = new Option(
  '--slurm <options>',
  "with --nodes, options of the allocation, such as '--partition=c5n --time=1:00:00'",
);
export const HOSTS = new Option(
  '--hosts <names>',
  'with --on, measure from these hosts by ssh: names with commas between, or a file with one on a line',
);
export const SHARED = new Option(
  '--shared <directory>',
  'a directory for tools that were built there and, with --nodes or --hosts, which all must have, for the scripts; default: this project',
);
export const MODULE = new Option(
  '--module <name>',
  'with --on, an environment module that is loaded first, such as openmpi/4.1.6; repeatable',
)
  .default([])
  .argParser(collect);
export const INSTANCE = new Option('--instance <type>', 'with --on, the type of this machine; default: detected');
export const RANKS = new Option(
  '--ranks <number>',
  'with --on, so many processes on each machine: those of the plan, or those that an srun or mpirun after -- starts',
);
export const LIKE = new Option('--like <log>', 'with --on, drive what a program did by its Darshan log, with IOR');
