/** The delay of `retry-after-ms` or `retry-after` in milliseconds; undefined without a valid header. */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const given = headers['retry-after'];
  if (given === undefined || given.trim() === '') return undefined;
  const ms = Number.isFinite(Number(given)) ? Number(given) * 1000 : Date.parse(given) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
