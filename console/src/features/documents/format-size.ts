const STEP = 1_000;
const UNITS = ['B', 'KB', 'MB', 'GB'];

/** A number of bytes as "340 B", "12.4 KB" or "3.1 MB", in units of 1,000. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
