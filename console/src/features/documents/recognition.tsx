import { useSubscription } from '@apollo/client/react';
import { Group, Progress, Text } from '@mantine/core';
import { countOf } from '@/shared/lists/count';
import { StatusBadge } from '@/shared/status-badge';
import { useEnd } from '@/shared/use-end';
import { type RecognitionStateFragment, WatchRecognitionDocument } from './documents.generated';

export function isReading(status: RecognitionStateFragment['status']): boolean {
  return status === 'QUEUED' || status === 'RUNNING';
}

/** The state of a recognition run, as it changes. The cache merges the changes into the run. */
export function RecognitionStatus({ run, onEnd }: { run: RecognitionStateFragment | undefined; onEnd?: () => void }) {
  const { id, status, progress, chunksCount } = run ?? { id: 0, status: null, progress: 0, chunksCount: 0 };
  const isOpen = status !== null && isReading(status);
  useSubscription(WatchRecognitionDocument, {
    variables: { id },
    skip: !isOpen,
    ignoreResults: true,
  });
  useEnd(isOpen, onEnd);
  if (status === null)
    return (
      <Text component="span" fz="sm" c="dimmed">
        Not read
      </Text>
    );
  if (isOpen)
    return (
      <Group gap="xs" wrap="nowrap">
        <StatusBadge state="RUNNING" label={status === 'QUEUED' ? 'Queued' : 'Reading'} />
        <Progress value={progress * 100} w={64} size="sm" aria-label="Progress of the recognition" />
      </Group>
    );
  const chunks = countOf(chunksCount, 'chunk');
  return <StatusBadge state={status} label={status === 'FAILED' ? 'Failed' : chunks} />;
}
