import { execFile } from 'node:child_process';
import { createCipheriv } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  CloudWatchClient,
  GetDashboardCommand,
  ListDashboardsCommand,
  PutDashboardCommand,
} from '@aws-sdk/client-cloudwatch';
import { DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { CreateFileSystemCommand, FSxClient } from '@aws-sdk/client-fsx';
import { bootstrap, deploy } from '../../lib/lab/deploy';
import { fsxbenchIn } from '../cli/support';
import { labForTests } from '../lab/support';
import { PROJECT } from './pages';

const RUNS = { 'aws-compression': '20261121T090000Z-aws', 'lab-compression': '20261122T054730Z-paired-rpl5' } as const;

/** Noise, the same in every run. */
const NOISE = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(2 ** 21));

/** Surroundings of printed commands: an emulated account with a deployed stack, a user's files, and results of runs. */
export interface World {
  /** A command with what its placeholders and its directories stand for here. */
  readonly meant: (command: string) => string;
  readonly shell: (command: string) => Promise<Answer>;
  /** Does what the shell would, without a process for what needs none. */
  readonly carryOut: (command: string) => Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly said: string;
}

/** Commands whose words a shell hands on as they are, and that drive no tools. */
const PLAIN = /^(?:env -u (\w+) )?npx fsxbench ((?!run |lab )[\w./:=,%+@ -]+)$/;

/** One for the tests of a file. */
export function worldForTests(): () => World {
  const lab = labForTests(['bin', 'cdk.json', 'docs', 'claims']);
  const at = (...path: string[]): string => join(lab().root, ...path);
  let fileSystem = '';
  let env: NodeJS.ProcessEnv = {};

  const shell: World['shell'] = (command) =>
    new Promise((resolve) => {
      execFile('bash', ['-c', command], { cwd: at(), env, maxBuffer: 2 ** 26 }, (error, out, err) =>
        resolve({ status: error === null ? 0 : Number(error.code ?? 1), said: out + err }),
      );
    });

  const carryOut: World['carryOut'] = async (command) => {
    const [, unset = '', words] = PLAIN.exec(command) ?? [];
    if (words === undefined) return shell(command);
    const [cwd, environment] = [process.cwd(), process.env];
    process.env = { ...env, [unset]: undefined };
    process.chdir(at());
    try {
      const { status, out, err } = await fsxbenchIn({ root: at(), environment: process.env }, words.split(/ +/));
      return { status, said: out + err };
    } finally {
      process.chdir(cwd);
      process.env = environment;
    }
  };

  beforeAll(async () => {
    const recursive = true;
    env = { ...process.env, CI: 'true', HOME: at('home'), PATH: `${at('bin-of-npx')}${delimiter}${process.env.PATH}` };
    cpSync(join(PROJECT, 'dist'), at('dist'), { recursive });
    for (const [fixture, run] of Object.entries(RUNS))
      cpSync(join(PROJECT, `test/fixtures/runs/${fixture}`), at(`results/runs/CompressionBench/${run}`), { recursive });
    for (const directory of ['data', 'fsx/x', 'mnt/a', 'mnt/b', 'mnt/local', 'my/files', 'shared/source']) {
      mkdirSync(at(directory), { recursive });
      writeFileSync(at(directory, 'file'), 'what a user has '.repeat(1000));
    }
    const rows = Array.from({ length: 2 ** 15 }, (_, row) => `${row},${NOISE.readUInt32BE(4 * row)},measured\n`);
    writeFileSync(at('table.csv'), rows.join(''));
    writeFileSync(at('video.mp4'), NOISE);
    cpSync(join(PROJECT, 'test/fixtures/tools/dd_loops_xfs.out'), at('dd.out'));
    writeFileSync(at('bench.sh'), 'dd if=/dev/zero of=/fsx/x bs=1M\n');
    writeFileSync(at('job.fio'), '[write]\nrw=write\nsize=1g\ndirectory=/fsx\n');
    programs({
      'my-program': 'touch "$1/made"',
      'bin-of-npx/npx': `shift; exec node '${at('dist/fsxbench.js')}' "$@"`,
    });
    await shell(`tar cf sources.tar data; npx fsxbench report ${RUNS['lab-compression']} --json >baseline.json`);
    const stacks = ['BenchResults', 'CompressionBench'];
    await bootstrap({ lab: lab().lab, onProgress: () => {} });
    await deploy({ lab: lab().lab, stacks, context: ['scale=smoke'], onProgress: () => {} });
    await renameDashboard('CompressionBench');
    fileSystem = await makeFileSystem();
  });

  function programs(all: Readonly<Record<string, string>>): void {
    mkdirSync(at('bin-of-npx'));
    for (const [name, script] of Object.entries(all)) {
      writeFileSync(at(name), `#!/bin/sh\n${script}\n`);
      chmodSync(at(name), 0o755);
    }
  }

  const meant = (command: string): string =>
    [...STAND_FOR, [/\bfs-(?:…|0a1b2c3d4e5f60718)|(?<= )FS(?= )/g, fileSystem] as const]
      .reduce((text, [placeholder, value]) => text.replaceAll(placeholder, value), command)
      .replaceAll(/(?<=[ =])\/(?:data|fsx|mnt\/\w+|my\/files|shared\/source)\b/g, (path) => at(path));

  return () => ({ meant, shell, carryOut });
}

/** Values for placeholders and synopses; a file system has its own. */
const STAND_FOR: readonly (readonly [placeholder: RegExp, value: string])[] = [
  // It must be on a mount of that file system.
  [/ \[--recompress DIR\]/g, ''],
  [/\[([^\]|]+)[^\]]*\]/g, '$1'],
  [/(\w+)\|[\w:]+/g, '$1'],
  [/\bRUN_OF_COMPRESSIONBENCH\b|\d+T\d+Z-paired-\w+/g, RUNS['lab-compression']],
  [/\bRUN…?(?=\s|$)/g, RUNS['aws-compression']],
  [/(?<=compare )A B\b/g, `${RUNS['lab-compression']} ${RUNS['lab-compression']}`],
  [/(?<=deploy )…|(?<= )(?:BENCHMARK|STACK|NAME)(?= |$)/g, 'CompressionBench'],
  [/(?<=--local )…/g, 'none=/mnt/a lz4=/mnt/b'],
  [/(?<=--plan )…/g, 'published'],
  [/s3:\/\/BUCKET/g, 's3://my-bucket'],
  [/\bCOMMAND(?= )/g, 'run'],
  [/\bPATH…?(?= |$)/g, 'data'],
  [/\b([ab])=DIR\b/g, '$1=/mnt/$1'],
  [/\bDIR\b/g, '/fsx'],
  [/<tool>/g, 'fio'],
  [/(?<=-c )key=value/g, 'clients=4'],
  [/(?<=--iops )N\b/g, '24000'],
  [/(?<=zstd:)N\b/g, '3'],
];

/** Renames the deployed dashboard to the recorded run's. */
async function renameDashboard(name: string): Promise<void> {
  const client = new CloudWatchClient({});
  const { DashboardEntries = [] } = await client.send(new ListDashboardsCommand({}));
  const { DashboardBody } = await client.send(
    new GetDashboardCommand({ DashboardName: DashboardEntries[0]?.DashboardName }),
  );
  await client.send(new PutDashboardCommand({ DashboardName: name, DashboardBody }));
}

/** A file system of the user. @returns its id */
async function makeFileSystem(): Promise<string> {
  const { Subnets = [] } = await new EC2Client({}).send(new DescribeSubnetsCommand({}));
  const { FileSystem } = await new FSxClient({}).send(
    new CreateFileSystemCommand({
      FileSystemType: 'LUSTRE',
      StorageCapacity: 12_000,
      SubnetIds: [Subnets[0]?.SubnetId ?? ''],
      LustreConfiguration: {
        DeploymentType: 'PERSISTENT_2',
        PerUnitStorageThroughput: 250,
        MetadataConfiguration: { Mode: 'AUTOMATIC' },
      },
    }),
  );
  return FileSystem?.FileSystemId ?? '';
}
