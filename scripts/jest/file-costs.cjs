// Measures the processor seconds of each test file: those of its worker and of its exited child processes.
const { appendFileSync, readFileSync } = require('node:fs');
const path = require('node:path');

const { TEST_COSTS } = process.env;
const TICKS_A_SECOND = 100;

/** Processor seconds of exited children of this process (proc(5)); 0 without /proc. */
function childSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND;
  } catch {
    return 0;
  }
}

/** Starts the measurement. The returned function appends one line to the file `TEST_COSTS`. */
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
