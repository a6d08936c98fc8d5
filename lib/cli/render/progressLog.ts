/** Seconds after which a silent command looks as if it hung. */
const SILENCE_SECONDS = 8;

/** Says lines, and after some seconds of silence what is under way. @param first what is under way before anything was said */
export function progressLog(write: (line: string) => void, silenceSeconds = SILENCE_SECONDS, first = 'starting') {
  let [underWay, since] = [first, Date.now()];
  const timer = setInterval(() => {
    write(`${underWay} … ${Math.round((Date.now() - since) / 1000)} s`);
  }, silenceSeconds * 1000);
  // It keeps no process alive.
  timer.unref();
  return {
    /** @param next what is under way then. @default the line, which announces it */
    say: (line: string, next = line): void => {
      [underWay, since] = [next, Date.now()];
      timer.refresh();
      write(line);
    },
    /** Restarts the wait for silence, since something else was printed. */
    heard: (): void => void timer.refresh(),
    stop: (): void => clearInterval(timer),
  };
}

/** Says what some work is, and that it is still under way, until it ends. */
export function withProgress<Result>(write: (line: string) => void, line: string, work: () => Promise<Result>) {
  write(line);
  return withProgressWhenSlow(write, line, work);
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
