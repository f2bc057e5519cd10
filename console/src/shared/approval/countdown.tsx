import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatDuration } from '@/shared/time';

const SOON_S = 300;

/** The time until a moment, counted down. `at`: a time of the API. */
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
    <Text span fz="sm" className="tabular" c={left < SOON_S ? 'red' : 'dimmed'} title={new Date(at).toLocaleString()}>
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
