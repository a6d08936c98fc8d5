import type { Command } from 'commander';
import type { CliContext } from '../context';
import * as given from '../input/options';
import { STORAGE_COMMANDS } from '../storages';

export function declarePlanning(program: Command, context: CliContext): void {
  program.commandsGroup('Before a run:');

  program
    .command('benchmarks')
    .argument('[benchmark]', 'one of them, with every parameter that --set takes')
    .description('list the benchmarks: their questions, studies and plans')
    .addOption(given.JSON_DOCUMENT)
    .action(async (benchmark, options) =>
      (await import('../benchmarks')).benchmarksCommand(context, benchmark, options),
    );

  program
    .command('plan')
    .argument('[benchmark]', 'such as CompressionBench; none with --on')
    .argument('[program...]', "your own program after --, with {dir} for an arm's directory")
    .description('the resolved plan: phases, durations, bytes, cost, issues')
    .option('--plan <name>', 'paired, published or command; default: paired, or command if a program is given')
    .option('--scale <scale>', "published, smoke or lab; default: published, or in the lab's shell what run would do")
    .option('--on <directory>', 'the plan of run --on, without contacting any node or host')
    .addOption(given.AS)
    .addOption(given.NODES)
    .addOption(given.HOSTS)
    .addOption(given.RANKS)
    .addOption(given.LIKE)
    .addOption(given.PARAMETERS)
    .addOption(given.ALLOW)
    .addOption(given.REGION)
    .addOption(given.JSON_DOCUMENT)
    .action(async (_benchmark, _program, options, command) =>
      (await import('../showPlan')).planCommand(context, command, options),
    );

  program
    .command('cost')
    .argument('[benchmark]', 'such as CompressionBench; optional with --refresh')
    .description('the cost of deploying it, line by line; deploys nothing')
    .addOption(given.CONTEXT)
    .addOption(given.REGION)
    .option('--refresh', "first update the price file from AWS's public price lists")
    .addOption(given.JSON_DOCUMENT)
    .action(async (benchmark, options) => (await import('../cost')).costCommand(context, benchmark, options));

  program
    .command('estimate')
    .description('estimates from your own data, without AWS')
    .command('compression')
    .argument('<path...>', 'files, folders, s3://bucket/prefix')
    .description('how much space LZ4 on FSx would save on these files')
    .option('--record <size>', 'record size such as 128K; default: 128K and 1M, as bounds')
    .option('--sector <size>', 'smallest unit of allocation: 512 to 16K', '4K')
    .option('--raidz <disks,parity>', 'RAID-Z, such as 5,1; default: one disk')
    .option('--on <file system>', 'lustre, which adds the overhead of its objects, or zfs; default: lustre')
    .option('--stripe-count <number>', 'objects of each file on Lustre; default: 1')
    .option('--exact', 'compress all bytes at every record size; slower on large trees')
    .option('--sample', 'read a sample of 4.2% of the bytes, and print a 95% interval')
    .option('--files', 'include each file in --json')
    .addOption(given.JSON_DOCUMENT)
    .action(async (paths, options) => (await import('../estimate')).estimateCommand(context, paths, options));

  const predict = program
    .command('predict')
    .description('throughput and metadata ceilings of a configuration, and its limit, without AWS')
    .option('--storage <kind>', 'kind of file system; default: the one that the options below describe')
    .option('--set <key=value>', 'a setting of a kind without its own options; repeatable', given.collect, [])
    .option('--ratio <number>', 'uncompressed ÷ compressed size, as printed by fsxbench estimate')
    .option('--efa', 'file system and clients use EFA')
    .option('--clients <number>', 'number of client instances')
    .option('--instance <type>', 'instance type of the clients, such as c5n.9xlarge')
    .option('--mode <mode>', 'write or read; default: write')
    .option('--read-share <percent>', 'share of reads, such as 70%, instead of --mode')
    .option('--working-set <size>', 'data that is read repeatedly, such as 500GB')
    .option('--processes <number>', 'processes on each client: whether enough requests are in flight')
    .option('--in-flight <number>', 'requests of each process in flight, such as fio --iodepth; default: 1')
    .option('--transfer <size>', 'size of a request; default: 1MiB')
    .option('--seconds <number>', 'duration of the run: whether it sees the burst; default: longer than any burst')
    .option('--served-from <where>', 'source of the data: disk, memory or s3; s3 needs the next two')
    .option('--files <number>', 'number of files')
    .option('--file-size <size>', 'size of each file, such as 150kB')
    .option('--region <region>', 'Region; some have a smaller network burst')
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('../predict')).predictCommand(context, options));
  for (const { configuration } of STORAGE_COMMANDS)
    for (const [flags, description] of configuration?.options ?? []) predict.option(flags, description);

  program
    .command('advise')
    .description('the cheapest file systems that meet your requirements, ranked, without AWS')
    .option(
      '--storage <kind>',
      'kind of file system to choose from, or all; repeatable; default: FSx for Lustre',
      given.collect,
    )
    .option('--read <GB/s>', 'sustained read throughput')
    .option('--write <GB/s>', 'sustained write throughput')
    .option('--together', 'reads and writes happen at the same time; default: at different times')
    .option('--scan <GB/s>', 'throughput at which all data are read once, such as a restore')
    .option('--burst <size/time/period>', 'writes in bursts, such as checkpoints: 2TB/60s/30min')
    .option('--capacity <TB>', 'data to store, before compression')
    .option('--files <number>', 'number of files: small ones take more than their size')
    .option('--file-size <size>', 'average size of a file, instead of --files or --capacity')
    .option('--metadata <creates/s>', 'file creates per second; default: those that --write makes of such files')
    .option('--ratio <number>', 'uncompressed ÷ compressed size; also considers LZ4')
    .addOption(given.DATA)
    .option('--working-set <size>', 'data that is read repeatedly, such as 500GB')
    .option('--max-monthly <USD>', 'budget for the file system; alone, lists the largest that it buys')
    .option('--headroom <percent>', 'margin above the required throughput and files per second; default: 20%')
    .option('--all', 'list every option and what was rejected, not just the best of each kind')
    .option(
      '--hours-per-day <number>',
      'hours per day that the file system exists, with its data in S3 otherwise; default: 24',
    )
    .option('--load-within <time>', 'time to load all data from S3, such as 1h; default: --hours-per-day, if given')
    .option('--clients <number>', 'client instances that share the load')
    .option('--instance <type>', 'instance type of the clients, such as c5n.9xlarge')
    .option(
      '--processes <number>',
      'processes on each client that read or write at a time; default: as many as it takes',
    )
    .option('--efa', 'the clients use EFA')
    .addOption(given.REGION)
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('../advise')).adviseCommand(context, options));

  program
    .command('explore')
    .description('advise and predict as one self-contained page to play with, which needs no network')
    .addOption(given.DATA)
    .option('--run <run>', 'a run whose measurements are shown next to the predictions; repeatable', given.collect)
    .option('--html <file>', 'the page to write; default: explore.html')
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('../explore')).exploreCommand(context, options));

  program
    .command('lint')
    .argument('[command...]', 'a benchmark command after --, or a whole line in quotes')
    .description('check a benchmark command line for mistakes')
    .option('--ior-version <version>', 'version of IOR and mdtest, such as 3.3.0')
    .option('--clients <number>', 'number of clients')
    .option('--instance <type>', 'instance type of the clients, which gives CPUs and memory')
    .option('--server-memory <size>', 'total memory of all file servers')
    .option('--compression <type>', 'none or lz4; default: lz4')
    .option('--stripe-count <number>', 'stripe count of the directory; -1 for all OSTs')
    .option('--metadata-iops <number>', 'metadata IOPS of the file system')
    .option('--file <file>', 'a shell script, or a fio or IO500 file; - for stdin')
    .addOption(given.ALLOW)
    .option('--strict', 'also fail on warnings')
    .addOption(given.JSON_DOCUMENT)
    .action(async (command, options) => (await import('../lint')).lintCommandLine(context, command, options));

  program
    .command('doctor')
    .description('check that this computer has what a deployment, a run or the lab needs')
    .option(
      '--aws <benchmark>',
      'also check the AWS account for anything that would block this deployment; changes nothing',
    )
    .option(
      '-c, --context <key=value>',
      'with --aws, a stack setting, as for cdk deploy; repeatable',
      given.collect,
      [],
    )
    .option('--on <directory>', 'check what run --on would find before it measures: directory, nodes and tools')
    .addOption(given.AS)
    .addOption(given.NODES)
    .addOption(given.SLURM)
    .addOption(given.HOSTS)
    .addOption(given.MODULE)
    .addOption(given.SHARED)
    .option('--plan <name>', 'with --on, mount or scaling; default: mount')
    .addOption(given.PARAMETERS)
    .addOption(given.JSON_DOCUMENT)
    .action(async (options) => (await import('../account/doctor')).doctorCommand(context, options));
}
