/** The meaning of a state, which decides its color. */
type Tone = 'good' | 'bad' | 'active' | 'waiting' | 'neutral';

const TONES: Record<string, Tone> = {
  SUCCEEDED: 'good',
  APPROVED: 'good',
  ENABLED: 'good',
  DELIVERED: 'good',
  ADDED: 'good',
  FAILED: 'bad',
  REMOVED: 'bad',
  REJECTED: 'bad',
  DISABLED: 'bad',
  RUNNING: 'active',
  QUEUED: 'waiting',
  WAITING: 'waiting',
  PENDING: 'waiting',
  CHANGED: 'waiting',
};

/** The dot is shown with a text, so that color is never the only sign (WCAG 2.2, 1.4.1). */
const DOT_COLORS: Record<Tone, string> = {
  good: 'light-dark(#15803d, #4ade80)',
  bad: 'light-dark(#c81e1e, #f87171)',
  active: 'light-dark(#2563eb, #60a5fa)',
  waiting: 'light-dark(#b45309, #fbbf24)',
  neutral: 'light-dark(#566070, #a9b1bd)',
};

export function toneOf(state: string): Tone {
  return TONES[state] ?? 'neutral';
}

export function colorOfState(state: string): string {
  return DOT_COLORS[toneOf(state)];
}

/** `NOT_STARTED` becomes "Not started". */
export function labelOfState(state: string): string {
  const words = state.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A state of a run, an approval or another object: a dot and its name. */
export function StatusBadge({ state, label }: { state: string; label?: string }) {
  const tone = toneOf(state);
  return (
    <span className="console-status">
      <span className={tone === 'active' ? 'console-pulse' : undefined} style={{ background: DOT_COLORS[tone] }} />
      {label ?? labelOfState(state)}
    </span>
  );
}
