import type { Command } from 'commander';
import { DEPLOYMENT_TYPES, STORAGE_TYPES } from '../../storage/lustre/types';
import type { CliContext } from '../context';
import { JSON_DOCUMENT } from '../input/options';

/** Options of `predict` that describe an FSx for Lustre file system; other kinds have --set. */
export const LUSTRE_OPTIONS: readonly (readonly [flags: string, description: string])[] = [
  ['--deployment <type>', DEPLOYMENT_TYPES.join(', ')],
  ['--storage-type <type>', `${STORAGE_TYPES.join(', ')}; default: SSD`],
  ['--per-unit <MB/s>', 'MB/s per TiB, such as 200'],
  ['--capacity <GiB>', 'storage capacity, such as 14400'],
  ['--throughput-capacity <MB/s>', 'throughput capacity of Intelligent-Tiering'],
  ['--drive-cache <type>', 'NONE or READ; HDD'],
  ['--read-cache <size>', 'none, proportional or GiB; Intelligent-Tiering'],
  ['--metadata-iops <number>', 'automatic or a number; PERSISTENT_2'],
  ['--compression <type>', 'NONE or LZ4; default: LZ4 with a ratio, NONE without'],
];

/** Commands that FSx for Lustre adds to the command line. */
export function declareScale(program: Command, context: CliContext): void {
  program.commandsGroup('File systems in use:');

  const scale = program.command('scale').description('change a file system that is in use, and wait for the change');
  scale
    .command('metadata')
    .argument('<file-system>', 'id such as fs-0a1b2c3d4e5f60718')
    .description('raise its metadata IOPS; shows the cost first')
    .requiredOption('--iops <number>', 'metadata IOPS, more than it has')
    .option('--dry-run', 'check and show the cost, change nothing')
    .option('--yes', 'do not ask for confirmation')
    .addOption(JSON_DOCUMENT)
    .action(async (id, options) => (await import('./scaleCommands')).scaleMetadataCommand(context, id, options));
  scale
    .command('compression')
    .argument('<file-system>', 'id such as fs-0a1b2c3d4e5f60718')
    .description('switch its compression, and rewrite existing files')
    .requiredOption('--type <type>', 'LZ4 or NONE')
    .option('--recompress <directory>', 'rewrite the files under this directory of the mounted file system')
    .option('--layout <layout>', 'keep: each file keeps its own; default: that of new FSx file systems', 'keep')
    .option('--dry-run', 'check, change nothing')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print one JSON document')
    .action(async (id, options) => (await import('./scaleCommands')).scaleCompressionCommand(context, id, options));
}
