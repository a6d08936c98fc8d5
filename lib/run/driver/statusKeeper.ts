import { hostname } from 'node:os';
import { listed } from '../../common/format/text';
import { counted } from '../../common/format/units';
import type { Step } from '../../schema/plan';
import type { RunSession, RunStatus } from '../../schema/run';
import type { Sample } from '../../schema/sample';
import { sessionsOf } from '../../store/readRun';
import type { RunAtClients } from '../clients/launch';
import { CLOCKS, type Clocks, type DisturbanceDetector, stopwatch } from './clock';
import type { RunProgress } from './resume';

export interface StatusOptions extends Pick<RunAtClients, 'run' | 'plan' | 'folder'> {
  /** Called after each step and when the status changed. Uploads run in the background: no step waits for them. */
  readonly onChange: (status: RunStatus) => void;
  /** @default - those of this computer */
  readonly clocks?: Clocks;
}

/** The status of a run while a driver works on it: what it does, what happened to it, and how long it will still take. */
export class StatusKeeper {
  status: RunStatus;
  private readonly clocks: Clocks;
  private readonly time: ReturnType<typeof stopwatch>;

  /** @param samples of earlier sessions */
  constructor(
    private readonly options: StatusOptions,
    progress: RunProgress,
    samples: readonly Sample[],
    private readonly detector: DisturbanceDetector,
  ) {
    const { run, plan, folder, clocks = CLOCKS } = options;
    this.clocks = clocks;
    this.time = stopwatch(clocks);
    const last = folder.lastStatus();
    const before = sessionsOf(last, samples);
    // Nobody wrote the end of a driver that was killed.
    const earlier = before.map((each, index) =>
      last?.endedAt === null && index === before.length - 1 ? { ...each, end: 'killed' as const } : each,
    );
    const startedAt = this.time.startedAt.toISOString();
    this.status = {
      schema: 'fsxbench.status/1',
      run,
      benchmark: plan.benchmark,
      state: 'starting',
      step: null,
      phase: null,
      stepsDone: plan.steps.length - progress.openSteps(plan).length,
      stepsTotal: plan.steps.length,
      failedSteps: [],
      startedAt: earlier[0]?.startedAt ?? startedAt,
      updatedAt: startedAt,
      endedAt: null,
      sessions: [...earlier, { startedAt, endedAt: null, seconds: 0 }],
      etaSeconds: null,
      message: 'starting',
      driver: { host: hostname(), pid: process.pid },
    };
  }

  async update(change: Partial<RunStatus>): Promise<void> {
    this.status = { ...this.status, ...change, updatedAt: this.now() };
    const { state, endedAt } = this.status;
    const end = state === 'starting' || state === 'running' ? undefined : state;
    this.session = { ...this.session, endedAt, seconds: this.time.seconds(), end };
    this.options.folder.writeStatus(this.status);
    this.options.onChange(this.status);
  }

  async note(kind: string, message: string): Promise<void> {
    const { events = [] } = this.session;
    this.session = { ...this.session, events: [...events, { at: this.now(), kind, message }] };
    await this.update({ message });
  }

  async noteDisturbances(): Promise<void> {
    for (const { kind, message } of this.detector.check()) await this.note(kind, message);
  }

  /** Earlier disturbances are not reported. */
  resetDetector(): void {
    this.detector.check();
  }

  now(): string {
    return new Date(this.clocks.wall()).toISOString();
  }

  private get session(): RunSession {
    return this.status.sessions.at(-1) as RunSession;
  }

  private set session(session: RunSession) {
    this.status = { ...this.status, sessions: [...this.status.sessions.slice(0, -1), session] };
  }
}

/** A step in words, for who waits for it: `ior write on lz4 · data 2.6:1 · repeat 1`. */
export function describe({ tasks, compressibility, fileBytes, plannedNodes, repeat }: Step): string {
  const action = tasks[0]?.action;
  const items = action?.kind === 'workload' && action.items === 'directories' ? ' directories' : '';
  const what =
    action?.kind === 'workload' ? `${action.tool} ${action.operation}${items}` : action?.kind.replaceAll('-', ' ');
  const files = fileBytes ? [`files of ${fileBytes} B`] : [];
  return [
    `${what} on ${listed(tasks.map(({ arm }) => arm))}`,
    ...(plannedNodes === undefined ? [] : [counted(plannedNodes, 'node')]),
    ...(compressibility === null ? files : [`data ${compressibility}:1`]),
    ...(repeat === 0 ? [] : [`repeat ${repeat}`]),
  ].join(' · ');
}
