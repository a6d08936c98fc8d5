// Loaded into a driver before anything else: its wall clock is as many milliseconds off as the file at FSXBENCH_TEST_CLOCK says. The clock that
// nobody sets stays as it is.
const { readFileSync } = require('node:fs');

const RealDate = Date;
const off = () => {
  try {
    return Number(readFileSync(process.env.FSXBENCH_TEST_CLOCK, 'utf8'));
  } catch {
    return 0;
  }
};

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + off());
    else super(...args);
  }
  static now() {
    return RealDate.now() + off();
  }
};
