import { useEffect, useState } from 'react';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
/** Milliseconds between two updates of relative times. */
const TICK_MS = 15_000;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** All relative times of the page share one timer. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The current time in milliseconds, updated every `TICK_MS`. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const listener = () => setNow(Date.now());
    listeners.add(listener);
    timer ??= setInterval(() => [...listeners].map(tick => tick()), TICK_MS);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return now;
}

/** "in a moment", "3 min. ago" or, more than 30 days away, a date. `now`: milliseconds since 1970. */
export function formatRelative(at: Date, now: number): string {
  const seconds = Math.round((at.getTime() - now) / 1_000);
  if (Math.abs(seconds) < 45) return seconds > 5 ? 'in a moment' : 'just now';
  if (Math.abs(seconds) > 30 * 86_400) return day.format(at);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS[2];
  return relative.format(Math.round(seconds / size), unit);
}

/** "3 min. ago" with the exact time as tooltip. Kept current. `at`: a time of the API. */
export function RelativeTime({ at }: { at: string | null | undefined }) {
  const now = useNow();
  if (!at) return <span>–</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)} style={{ whiteSpace: 'nowrap' }}>
      {formatRelative(date, now)}
    </time>
  );
}

/** `seconds` as "340 ms", "12.4 s", "3 min 20 s" or "2 h 5 min". */
export function formatDuration(seconds: number): string {
  if (seconds < 0.000_5) return '<1 ms';
  // Each limit is the first value that would be rounded up to the next form: 0.9996 s are 1.0 s, not 1000 ms.
  if (seconds < 0.999_5) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 59.5) return `${seconds.toFixed(seconds < 9.95 ? 1 : 0)} s`;
  const rounded = Math.round(seconds);
  const minutes = Math.floor(rounded / 60);
  if (minutes < 60) return `${minutes} min ${rounded % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function Duration({ seconds }: { seconds: number | null | undefined }) {
  return <span className="tabular">{seconds === null || seconds === undefined ? '–' : formatDuration(seconds)}</span>;
}
