const { relative } = require('node:path');

/** Seconds between two words about what still runs. */
const EVERY = 300;

/** Names the running suites every five minutes, and when jest gets a signal to end: a hanging suite is then known by name. */
module.exports = class StillRunning {
  started = new Map();

  onRunStart() {
    const say = () => {
      const suites = [...this.started].map(([path, since]) => `${path} (${Math.round((Date.now() - since) / 1000)} s)`);
      if (suites.length > 0) process.stderr.write(`still running: ${suites.join(', ')}\n`);
    };
    this.timer = setInterval(say, EVERY * 1000).unref();
    process.once('SIGTERM', () => {
      say();
      process.exit(143);
    });
  }

  onTestFileStart({ path }) {
    this.started.set(relative(process.cwd(), path), Date.now());
  }

  onTestFileResult({ path }) {
    this.started.delete(relative(process.cwd(), path));
  }

  onRunComplete() {
    clearInterval(this.timer);
  }
};
