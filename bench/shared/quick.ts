/** True for fewer rounds and smaller data, a first impression: `npm run bench NAME -- --quick`. */
export const QUICK = process.argv.includes('--quick');
