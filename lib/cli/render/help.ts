import type { Command } from 'commander';
import type { CommandHelp } from '../storageCommands';
import { STORAGE_COMMANDS } from '../storages';

/** Help by command; a subcommand shows those of its parent that begin with its words. */
const HELP: Readonly<Record<string, CommandHelp>> = {
  benchmarks: { examples: ['benchmarks', 'benchmarks CompressionBench'], page: 'docs/commands.md' },
  plan: {
    examples: ['plan CompressionBench --scale smoke', 'plan MetadataBench --set repeats=3 --json'],
    page: 'docs/compression-bench.md',
  },
  cost: { examples: ['cost CompressionBench -c scale=smoke', 'cost --refresh'], page: 'docs/cost.md' },
  estimate: { examples: ['estimate compression /data --sample'], page: 'docs/estimate.md' },
  predict: {
    examples: [
      'predict --deployment PERSISTENT_2 --per-unit 500 --capacity 12000 --ratio 2 --clients 4 --instance c6in.16xlarge',
    ],
    page: 'docs/advise.md',
  },
  explore: {
    examples: ['explore', 'explore --data /my/files --html mine.html', 'explore --run 20261122T093000Z-paired-ab12'],
    page: 'docs/explore.md',
  },
  advise: {
    examples: [
      'advise --write 3 --capacity 10 --data /my/files',
      'advise --max-monthly 2000',
      'advise --capacity 200 --storage all',
    ],
    page: 'docs/advise.md',
  },
  lint: {
    examples: ['lint -- dd if=/fsx/x of=/dev/null bs=1M', 'lint --file bench.sh --strict'],
    page: 'docs/commands.md',
  },
  run: {
    examples: [
      'run CompressionBench --scale smoke',
      'run CompressionBench --local none=/mnt/a lz4=/mnt/b',
      'run --on /fsx --as lustre:PERSISTENT_2:500,12TiB',
    ],
    page: 'docs/commands.md',
  },
  watch: { examples: ['watch 20261122T093000Z-paired-ab12'], page: 'docs/report.md' },
  list: { examples: ['list --here', 'list --json'], page: 'docs/report.md' },
  collect: { examples: ['collect 20261122T093000Z-paired-ab12'], page: 'docs/report.md' },
  report: {
    examples: ['report 20261122T093000Z-paired-ab12', 'report RUN --markdown', 'report RUN --csv summary'],
    page: 'docs/report.md',
  },
  compare: { examples: ['compare baseline.json 20261122T093000Z-paired-ab12 --tolerance 5%'], page: 'docs/compare.md' },
  dashboard: { examples: ['dashboard fs-0a1b2c3d4e5f60718 --hours 6'], page: 'docs/dashboard.md' },
  parse: { examples: ['parse --json ior.out mdtest.out', 'parse -'], page: 'docs/commands.md' },
  policy: { examples: ['policy CompressionBench', 'policy CompressionBench execution'], page: 'docs/security.md' },
  leftovers: { examples: ['leftovers'], page: 'docs/expiry.md' },
  extend: { examples: ['extend CompressionBench --hours 24'], page: 'docs/expiry.md' },
  doctor: { examples: ['doctor', 'doctor --aws CompressionBench'], page: 'docs/first-deployment.md' },
  lab: {
    examples: [
      'lab up --benchmark StorageBench',
      'lab env',
      'lab status',
      'lab quickstart --set repeats=1',
      'lab down',
    ],
    page: 'docs/lab.md',
  },
};

/** Ends the help of each command with examples and the page that explains it. */
export function addExamples(program: Command): void {
  const all = Object.assign({}, HELP, ...STORAGE_COMMANDS.map(({ help }) => help)) as typeof HELP;
  for (const command of program.commands) {
    const help = all[command.name()];
    if (help !== undefined) addTo(command, command.name(), help);
  }
}

function addTo(command: Command, path: string, { examples, page }: CommandHelp): void {
  const own = examples.filter((words) => `${words} `.startsWith(`${path} `)).map((words) => `  npx fsxbench ${words}`);
  command.addHelpText('after', ['', 'Examples:', ...own, '', `${page} explains it.`].join('\n'));
  for (const below of command.commands) addTo(below, `${path} ${below.name()}`, { examples, page });
}
