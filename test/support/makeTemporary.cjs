const { chmodSync, mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** One folder for the temporary files of all suites, which removeTemporary.cjs removes. Other users may enter it, as they may /tmp. Short, for paths of sockets. */
module.exports = () => {
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'fsx-'));
  chmodSync(process.env.TMPDIR, 0o1777);
};
