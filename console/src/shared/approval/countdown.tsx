import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatDuration } from '@/shared/time';

/** With fewer seconds left, the countdown is red. */
const SOON_SECONDS = 300;

/** The time until `at`, a time of the API, updated every second. Calls `onEnd` once when it is over. */
export function Countdown({ at, onEnd }: { at: string; onEnd?: () => void }) {
  const left = useSecondsUntil(at);
  const isOver = left <= 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end happens once.
  useEffect(() => {
    if (isOver) onEnd?.();
  }, [isOver]);
  if (isOver)
    return (
      <Text span fz="sm" c="red">
        Expired
      </Text>
    );
  return (
    <Text
      span
      fz="sm"
      className="tabular"
      c={left < SOON_SECONDS ? 'red' : 'dimmed'}
      title={new Date(at).toLocaleString()}
    >
      {left >= 86_400
        ? `${Math.floor(left / 86_400)} d ${Math.floor((left % 86_400) / 3_600)} h`
        : formatDuration(left)}{' '}
      left
    </Text>
  );
}

function useSecondsUntil(at: string): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.ceil((Date.parse(at) - now) / 1_000);
}
