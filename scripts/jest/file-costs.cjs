// What each test file costs in processor seconds: of its worker, and of the processes that it started and that have ended.
const { appendFileSync, readFileSync } = require('node:fs');
const path = require('node:path');

const { TEST_COSTS } = process.env;
const TICKS_A_SECOND = 100;

/** Seconds of the processor that the ended children of this process have used (proc(5)); 0 where there is no /proc. */
function childSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND;
  } catch {
    return 0;
  }
}

/** Begins to count; the function that it returns appends one line to the file `TEST_COSTS`. */
exports.beginFile = testPath => {
  if (TEST_COSTS === undefined) return () => {};
  const own = process.cpuUsage();
  const children = childSeconds();
  return () => {
    const { user, system } = process.cpuUsage(own);
    const seconds = (user + system) / 1e6 + childSeconds() - children;
    const file = path.relative(path.join(__dirname, '../../build'), testPath);
    appendFileSync(TEST_COSTS, `${JSON.stringify({ file, seconds })}\n`);
  };
};
