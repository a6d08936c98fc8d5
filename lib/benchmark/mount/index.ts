import * as z from 'zod';
import { bytes, counted, plain } from '../../common/format/units';
import { IN_BYTES, IN_MIB, IN_SECONDS } from '../../common/quantity';
import type { Action, PlanArm, Step } from '../../schema/plan';
import { IOR_VERSIONS } from '../../workload/common/iorRelease';
import type { Order, RecordedTransfers, RecordedWork } from '../../workload/common/measured';
import { ior } from '../../workload/ior';
import { iorDefaultPattern, iorPattern } from '../../workload/ior/pattern';
import { DATA_WORKLOADS, FILES_WORKLOADS, idsOf, releaseIn, verbsOn } from '../../workload/lookup';
import type { Workload } from '../../workload/workload';
import type { Standing } from '../benchmark';
import { fewRepeats, oversubscribed } from '../common/checks';
import { dataExceedCapacity, dataFitInMemory } from '../common/dataChecks';
import { emptyFilesAction, FILES_SECONDS } from '../common/filesRounds';
import { choice, flag, whole } from '../common/parameters';
import { doubling, scalingParameters } from '../common/scaling/parameters';
import { byNodes, dataTool, dataWork, type NodesWork, nodesDataFitInMemory, scaling } from '../common/scaling/plan';
import { betweenCapacities, DROP_CACHES, inRepeats, NEW_DIRECTORY, REMOVE_DATA, stepsOf } from '../common/steps';
import type { PlanDefinition } from '../plan';

/** Tools that can do both: one installed tool is then enough. */
const BOTH = FILES_WORKLOADS.flatMap((files) => DATA_WORKLOADS.filter(({ id }) => id === files.id));
const [PREFERRED, ...OTHERS] = BOTH;
if (PREFERRED === undefined) throw new Error('no workload of lib/workload/registry.ts works on data and on files');

const mountParameters = z.strictObject({
  repeats: whole(1, 1000),
  seconds: whole(1, 172_800, IN_SECONDS),
  tool: choice(idsOf(BOTH)),
  ranksPerClient: whole(1, 1024),
  maxMiBPerArm: whole(1, 2 ** 40, IN_MIB),
  /** O_DIRECT; otherwise writes are synced before the clock stops. */
  direct: flag(),
  /** Files that each process creates, looks up and removes in a round; 0 for none. */
  filesPerRank: whole(0, 1_000_000),
});

/** A large file for each process is written and read back, then many empty files are created, looked up and removed. */
function mountSteps(parameters: z.infer<typeof mountParameters>, arms: readonly PlanArm[]): Step[] {
  const { repeats, seconds, tool, ranksPerClient, maxMiBPerArm, direct, filesPerRank } = parameters;
  const workload = DATA_WORKLOADS.find(({ id }) => id === tool);
  const data = workload?.data.ofRatio(1, releaseIn(workload, parameters));
  if (workload === undefined || !data) throw new Error(`${tool} cannot write random data`);
  const maxBytesPerProcess = Math.floor((maxMiBPerArm * 2 ** 20) / ranksPerClient);
  const common = { kind: 'workload', tool, ranksPerClient } as const;

  const units = inRepeats(repeats, (repeat) => {
    const large = stepsOf({ repeat, compressibility: 1, unit: `r${repeat}-data`, arms });
    const move = (operation: 'write' | 'read'): Step => {
      const phase = { operation, seconds, maxBytesPerProcess, processesPerClient: ranksPerClient, direct };
      const action: Action = { ...common, operation, command: data.command(phase), pattern: data.pattern.id };
      return large(operation, 'measure', action, { expectedSeconds: seconds });
    };
    const small = stepsOf({ repeat, compressibility: null, unit: `r${repeat}-files`, arms });
    const operations = filesPerRank === 0 ? [] : verbsOn(workload, 'files');
    const work = operations.flatMap((operation, at) => {
      const action = emptyFilesAction(workload, operation, { ranksPerClient, filesPerRank, seconds });
      return [
        ...(at === 0 ? [] : [small(`drop-caches-${operation}`, 'prepare', DROP_CACHES)]),
        small(operation, 'measure', action, { expectedSeconds: FILES_SECONDS }),
      ];
    });
    return [
      ...[large('directory', 'prepare', NEW_DIRECTORY), move('write')],
      ...[large('drop-caches-read', 'prepare', DROP_CACHES), move('read'), large('clean', 'clean up', REMOVE_DATA)],
      ...(work.length === 0
        ? []
        : [small('directory', 'prepare', NEW_DIRECTORY), ...work, small('clean', 'clean up', REMOVE_DATA)]),
    ];
  });
  return betweenCapacities(arms, units);
}

/** The usual plan of `run --on`: rates of one number of clients. */
const mountPlan: PlanDefinition<typeof mountParameters> = {
  name: 'mount',
  parameters: mountParameters,
  paired: false,
  defaults: (_, { ranksPerClient }) => ({
    repeats: 3,
    seconds: 10,
    tool: PREFERRED.id,
    ranksPerClient,
    maxMiBPerArm: 65_536,
    direct: false,
    filesPerRank: 2000,
  }),
  steps: (parameters, { arms }) => mountSteps(parameters, arms),
  checks: [dataFitInMemory, dataExceedCapacity, fewRepeats, oversubscribed],
  within: (MiBPerClient) => [`maxMiBPerArm=${MiBPerClient}`],
  tools: { preferred: PREFERRED, substitutes: OTHERS },
};

const sweepParameters = scalingParameters.extend({
  /** Empty files that each process creates, looks up and removes in a round; 0 for none. */
  filesPerRank: whole(0, 1_000_000),
});

/** Opens of empty files cost servers what stats cost. */
const MEASURED = ['create', 'stat', 'remove'] as const;

/** Files of every node, by the tool of the data if it also works on files, else by the first that does. */
function filesWork(parameters: z.infer<typeof sweepParameters>): NodesWork {
  const { workload } = dataTool(parameters);
  const tool = workload.files === undefined ? (FILES_WORKLOADS[0] as Workload) : workload;
  const operations = MEASURED.filter((operation) => verbsOn(tool, 'files').includes(operation));
  const measured = operations.map((operation) => ({
    operation,
    action: emptyFilesAction(tool, operation, parameters),
    expectedSeconds: FILES_SECONDS,
  }));
  return { name: 'files', compressibility: null, measured };
}

/** The sweep by nodes on an existing file system: from where on do more nodes bring nothing? */
const mountScaling: PlanDefinition<typeof sweepParameters> = {
  ...scaling,
  parameters: sweepParameters,
  defaults: (_, { clients, ranksPerClient }) => ({
    nodes: doubling(clients),
    tool: 'auto',
    iorVersion: '3.3.0',
    ranksPerClient,
    // Few files: all nodes' are created in a round, and a metadata server removes some thousand a second.
    repeats: 3,
    seconds: 10,
    maxMiBPerNode: 65_536,
    direct: false,
    reads: true,
    filesPerRank: 500,
  }),
  steps: (parameters, context) =>
    byNodes(parameters, context, [
      dataWork(parameters),
      ...(parameters.filesPerRank === 0 ? [] : [filesWork(parameters)]),
    ]),
  checks: [nodesDataFitInMemory, fewRepeats, oversubscribed],
};

/** Reads or writes as a recorded program made them. */
interface ImitatedPhase {
  readonly operation: 'write' | 'read';
  readonly order: Order;
  /** One file of all processes, or a separate one for each. */
  readonly files: 'shared' | 'own';
  /** Files of all, or of each process, one after the other. */
  readonly count: number;
  readonly bytes: number;
  readonly transferBytes: number;
  readonly sync: boolean;
  readonly processesPerClient: number;
}

/** IOR fills its buffers with words of so many bytes, and refuses transfers that hold no whole number of them (`sizeof(IOR_size_t)`). */
const WORD = 8;

/**
 * IOR's arguments for one direction of a recorded program. Strided: each process writes every n-th transfer of a shared file, as blocks of
 * one transfer and segments with one transfer of each process. Several files are repetitions, each on a separate file (`-m -i`).
 */
function imitatedCommand(
  { operation, order, files, count, bytes, transferBytes, sync, processesPerClient }: ImitatedPhase,
  option: string | null,
): string[] {
  const transfers = Math.max(1, Math.round(bytes / transferBytes));
  const strided = order === 'strided';
  // Each process reads what another has written, but for random offsets in a shared file, which IOR refuses to combine with it (ior.c).
  const elsewhere = order === 'random' && files === 'shared' ? [] : ['-C', '-Q', String(processesPerClient)];
  return [
    ...[ior.id, '-a', 'POSIX', '-t', String(transferBytes)],
    ...['-b', String(strided ? transferBytes : transfers * transferBytes), '-s', String(strided ? transfers : 1), '-k'],
    ...(files === 'own' ? ['-F'] : []),
    ...(order === 'random' ? ['-z'] : []),
    ...(count > 1 ? ['-m', '-i', String(count)] : []),
    ...(operation === 'write' ? ['-w', ...(sync ? ['-e'] : [])] : ['-r', ...elsewhere]),
    ...(option === null ? [] : ['-l', option]),
    ...['-o', '{dir}/data'],
  ];
}

/** Returns why IOR cannot move data like that; `null` if it can. */
function refusesToImitate(phase: Pick<ImitatedPhase, 'order' | 'files' | 'transferBytes'>): string | null {
  const { order, files, transferBytes } = phase;
  if (transferBytes % WORD !== 0) return `transfers of ${transferBytes} B: IOR’s are multiples of ${WORD} B`;
  if (order === 'strided' && files === 'own')
    return 'strided transfers in files of one process each: IOR strides in shared files only';
  return null;
}

const ORDERS = ['sequential', 'strided', 'random'] as const;

const likeParameters = z.strictObject({
  repeats: whole(1, 1000),
  /** Expected duration of all writes of a repeat, and of all reads. */
  seconds: whole(1, 172_800, IN_SECONDS),
  ranksPerClient: whole(1, 1024),
  iorVersion: choice(IOR_VERSIONS),
  files: choice(['shared', 'own']),
  /** Number of files, written or read one after the other. */
  fileCount: whole(1, 100_000),
  /** Bytes that a process writes to a file. 0: data are written before, and the program only reads. */
  writeBytes: whole(0, 2 ** 50, IN_BYTES),
  writeTransferBytes: whole(1, 2 ** 40, IN_BYTES),
  writeOrder: choice(ORDERS),
  readBytes: whole(0, 2 ** 50, IN_BYTES),
  readTransferBytes: whole(1, 2 ** 40, IN_BYTES),
  readOrder: choice(ORDERS),
  sync: flag(),
});

/** Writes and reads as a recorded program made them; data that were only read are written first, and not measured. */
function likeSteps(parameters: z.infer<typeof likeParameters>, arms: readonly PlanArm[]): Step[] {
  const { repeats, seconds, ranksPerClient, files, fileCount: count, sync } = parameters;
  const { writeBytes, readBytes } = parameters;
  if (writeBytes + readBytes === 0)
    throw new Error(`'writeBytes' and 'readBytes' must not both be 0: nothing would be measured`);
  const action = (operation: 'write' | 'read', measured: boolean): Action => {
    const phase = { operation, files, count, sync: sync && measured, processesPerClient: ranksPerClient };
    const own =
      operation === 'write' && measured
        ? { bytes: writeBytes, transferBytes: parameters.writeTransferBytes, order: parameters.writeOrder }
        : { bytes: readBytes, transferBytes: parameters.readTransferBytes, order: parameters.readOrder };
    const why = refusesToImitate({ ...phase, ...own });
    if (why !== null) throw new Error(`it cannot be replayed: ${why}`);
    // Incompressible if IOR can write such: a record does not have the data.
    const pattern = iorPattern(parameters.iorVersion, 1) ?? iorDefaultPattern(parameters.iorVersion);
    return {
      kind: 'workload',
      tool: ior.id,
      ranksPerClient,
      operation,
      command: imitatedCommand({ ...phase, ...own }, pattern.option),
      pattern: pattern.id,
    };
  };
  const timed = { expectedSeconds: seconds };
  const units = inRepeats(repeats, (repeat) => {
    const made = stepsOf({ repeat, compressibility: 1, unit: `r${repeat}-data`, arms });
    return [
      made('directory', 'prepare', NEW_DIRECTORY),
      writeBytes > 0
        ? made('write', 'measure', action('write', true), timed)
        : made('fill', 'prepare', action('write', false), timed),
      ...(readBytes > 0
        ? [made('drop-caches-read', 'prepare', DROP_CACHES), made('read', 'measure', action('read', true), timed)]
        : []),
      made('clean', 'clean up', REMOVE_DATA),
    ];
  });
  return betweenCapacities(arms, units);
}

/** Share of a program's bytes, or of its time on files, up to which what is left out does not count. */
const LEFT_OUT = { streamed: 0.05, metadata: 0.5 };

/** @throws Error naming what of the work cannot be driven */
function likeSettings(work: RecordedWork, clients: number, ranks: number | undefined): string[] {
  const { processes, files, write, read, dataSeconds, metadataSeconds, streamed, syncs, seconds } = work;
  const refuse = (what: string): never => {
    throw new Error(`the program ${what}`);
  };
  if (write === null && read === null) refuse('moved no data: --plan mount creates, looks up and removes files');
  if (metadataSeconds > LEFT_OUT.metadata * (dataSeconds + metadataSeconds))
    refuse(
      `spent ${plain(Math.round((100 * metadataSeconds) / (dataSeconds + metadataSeconds)))} % of its time on files in opens, stats and syncs, and IOR would drive only the rest: --plan mount creates, looks up and removes files`,
    );
  if (streamed > LEFT_OUT.streamed)
    refuse(
      `moved ${plain(Math.round(streamed * 100))} % of its bytes through buffered streams (stdio), which IOR does not use`,
    );
  const { shared, partly, own } = files;
  const count = shared > 0 ? shared : own / processes;
  if (partly > 0 || (shared > 0 && own > 0) || !Number.isInteger(count))
    refuse(
      `used ${counted(shared, 'file')} of all its ${processes} processes, ${partly} of some and ${own} of one each: IOR shares all files, or gives each process as many as the others`,
    );
  if (ranks === undefined && processes % clients !== 0)
    refuse(
      `had ${counted(processes, 'process', 'processes')}, which ${counted(clients, 'client')} cannot share evenly: take another number of them, or say how many processes on each (--ranks)`,
    );
  const kind = files.shared > 0 ? 'shared' : 'own';
  const direction = (name: 'write' | 'read', transfers: RecordedTransfers | null): string[] => {
    if (transfers === null) return [`${name}Bytes=0`];
    const { transferBytes, order } = transfers;
    if (transferBytes === null || order === null)
      return refuse(
        `made ${name}s ${transferBytes === null ? 'of many sizes' : 'in no single order'} (${bytes(transfers.bytes)} in ${counted(transfers.operations, 'transfer')}): IOR's have one size, and are sequential, strided or random`,
      );
    const each = transfers.bytes / processes / count;
    const why = refusesToImitate({ order, files: kind, transferBytes });
    if (why !== null) refuse(`made ${why}`);
    const whole = Math.max(1, Math.round(each / transferBytes)) * transferBytes;
    return [`${name}Bytes=${whole}`, `${name}TransferBytes=${transferBytes}`, `${name}Order=${order}`];
  };
  return [
    ...[`ranksPerClient=${ranks ?? processes / clients}`, `files=${kind}`, `fileCount=${count}`, `sync=${syncs > 0}`],
    ...[`seconds=${Math.min(172_800, Math.max(1, Math.ceil(seconds)))}`],
    ...[...direction('write', write), ...direction('read', read)],
  ];
}

/** Work of a recorded program, driven by MPI: `run --on DIR --like LOG`. */
const mountLike: PlanDefinition<typeof likeParameters> = {
  name: 'like',
  parameters: likeParameters,
  // Small transfers are what was recorded, and IOR 3.3.0 writes the same buffer in each.
  reservations: ['ior-incompressible-compresses'],
  paired: false,
  defaults: (_, { ranksPerClient }) => ({
    repeats: 3,
    seconds: 60,
    ranksPerClient,
    iorVersion: '3.3.0',
    files: 'own',
    fileCount: 1,
    sync: false,
    writeBytes: 2 ** 30,
    writeTransferBytes: 2 ** 20,
    writeOrder: 'sequential',
    readBytes: 0,
    readTransferBytes: 2 ** 20,
    readOrder: 'sequential',
  }),
  steps: (parameters, { arms }) => likeSteps(parameters, arms),
  like: likeSettings,
  tools: { preferred: ior, substitutes: [] },
  checks: [dataFitInMemory, dataExceedCapacity, fewRepeats, oversubscribed],
};

/** One existing file system: nothing is compared and nothing deployed. */
export const mountBench: Standing = {
  name: 'MountBench',
  question: 'What does this mounted file system do, and what limits it?',
  plans: [mountPlan, mountScaling, mountLike],
};
