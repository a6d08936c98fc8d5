import type { Command } from 'commander';

/** The page that explains a command, and typical uses without `npx fsxbench` in front. */
type CommandHelp = readonly [page: string, ...examples: string[]];

/** Help by command; a subcommand shows those of its parent that begin with its words. */
const HELP: Readonly<Record<string, CommandHelp>> = {
  benchmarks: ['docs/commands.md', 'benchmarks', 'benchmarks CompressionBench'],
  plan: [
    'docs/compression-bench.md',
    'plan CompressionBench --scale smoke',
    'plan MetadataBench --set repeats=3 --json',
  ],
  cost: ['docs/cost.md', 'cost CompressionBench -c scale=smoke', 'cost --refresh'],
  estimate: ['docs/estimate.md', 'estimate compression /data --sample'],
  predict: [
    'docs/advise.md',
    'predict --deployment PERSISTENT_2 --per-unit 500 --capacity 12000 --ratio 2 --clients 4 --instance c6in.16xlarge',
  ],
  explore: [
    'docs/explore.md',
    'explore',
    'explore --data /my/files --html mine.html',
    'explore --run 20261122T093000Z-paired-ab12',
  ],
  advise: [
    'docs/advise.md',
    'advise --write 3 --capacity 10 --data /my/files',
    'advise --max-monthly 2000',
    'advise --capacity 200 --storage all',
  ],
  lint: ['docs/commands.md', 'lint -- dd if=/fsx/x of=/dev/null bs=1M', 'lint --file bench.sh --strict'],
  run: [
    'docs/commands.md',
    'run CompressionBench --scale smoke',
    'run CompressionBench --local none=/mnt/a lz4=/mnt/b',
    'run --on /fsx --as lustre:PERSISTENT_2:500,12TiB',
  ],
  watch: ['docs/report.md', 'watch 20261122T093000Z-paired-ab12'],
  list: ['docs/report.md', 'list --here', 'list --json'],
  collect: ['docs/report.md', 'collect 20261122T093000Z-paired-ab12'],
  report: [
    'docs/report.md',
    'report 20261122T093000Z-paired-ab12',
    'report RUN --markdown',
    'report RUN --csv summary',
  ],
  compare: ['docs/compare.md', 'compare baseline.json 20261122T093000Z-paired-ab12 --tolerance 5%'],
  dashboard: ['docs/dashboard.md', 'dashboard fs-0a1b2c3d4e5f60718 --hours 6'],
  parse: ['docs/commands.md', 'parse --json ior.out mdtest.out', 'parse -'],
  policy: ['docs/security.md', 'policy CompressionBench', 'policy CompressionBench execution'],
  leftovers: ['docs/expiry.md', 'leftovers'],
  extend: ['docs/expiry.md', 'extend CompressionBench --hours 24'],
  doctor: ['docs/first-deployment.md', 'doctor', 'doctor --aws CompressionBench'],
  scale: [
    'docs/scale.md',
    'scale metadata fs-0a1b2c3d4e5f60718 --iops 24000 --dry-run',
    'scale compression fs-0a1b2c3d4e5f60718 --type LZ4 --recompress /fsx',
  ],
  lab: [
    'docs/lab.md',
    'lab up --benchmark StorageBench',
    'lab env',
    'lab status',
    'lab quickstart --set repeats=1',
    'lab down',
  ],
};

/** Ends the help of each command with examples and the page that explains it. */
export function addExamples(program: Command): void {
  for (const command of program.commands) {
    const help = HELP[command.name()];
    if (help !== undefined) addTo(command, command.name(), help);
  }
}

function addTo(command: Command, path: string, help: CommandHelp): void {
  const [page, ...examples] = help;
  const own = examples.filter((words) => `${words} `.startsWith(`${path} `)).map((words) => `  npx fsxbench ${words}`);
  command.addHelpText('after', ['', 'Examples:', ...own, '', `${page} explains it.`].join('\n'));
  for (const below of command.commands) addTo(below, `${path} ${below.name()}`, help);
}
