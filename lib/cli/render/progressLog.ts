/** Seconds after which a silent command looks as if it hung. */
const SILENCE_SECONDS = 8;

/** Prints lines, and repeats what is under way during silence. */
interface ProgressLog {
  /** @param next what is under way then. @default the line, which announces it */
  readonly say: (line: string, next?: string) => void;
  /** Restarts the wait for silence, since something else was printed. */
  readonly heard: () => void;
  readonly stop: () => void;
}

/** Says lines, and after some seconds of silence what is under way. @param first what is under way before anything was said */
export function progressLog(
  write: (line: string) => void,
  silenceSeconds = SILENCE_SECONDS,
  first: string = 'starting',
): ProgressLog {
  let [underWay, since] = [first, Date.now()];
  const timer = setInterval(() => {
    write(`${underWay} … ${Math.round((Date.now() - since) / 1000)} s`);
  }, silenceSeconds * 1000);
  // It keeps no process alive.
  timer.unref();
  return {
    say: (line, next = line) => {
      [underWay, since] = [next, Date.now()];
      timer.refresh();
      write(line);
    },
    heard: () => void timer.refresh(),
    stop: () => clearInterval(timer),
  };
}

/** Says what some work is, and that it is still under way, until it ends. */
export async function withProgress<Result>(
  write: (line: string) => void,
  line: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { say, stop } = progressLog(write);
  say(line);
  return await work().finally(stop);
}

/** Says what some work is only once it has been silent for some seconds. */
export async function withProgressWhenSlow<Result>(
  write: (line: string) => void,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { stop } = progressLog(write, SILENCE_SECONDS, name);
  return await work().finally(stop);
}
