import { useSubscription } from '@apollo/client/react';
import { Group, Progress, Text } from '@mantine/core';
import { countOf } from '@/shared/lists/count';
import { StatusBadge } from '@/shared/status-badge';
import { type RecognitionStateFragment, WatchRecognitionDocument } from './documents.generated';

/** Whether a recognition run has not ended. */
export function isReading(status: RecognitionStateFragment['status']): boolean {
  return status === 'QUEUED' || status === 'RUNNING';
}

/** The state of a recognition run, kept current. A subscription writes its changes to the run in the cache. */
export function RecognitionStatus({ run }: { run: RecognitionStateFragment | undefined }) {
  const { id, status, progress, chunksCount } = run ?? { id: 0, status: null, progress: 0, chunksCount: 0 };
  const isActive = status !== null && isReading(status);
  useSubscription(WatchRecognitionDocument, {
    variables: { id },
    skip: !isActive,
    ignoreResults: true,
  });
  if (status === null)
    return (
      <Text component="span" fz="sm" c="dimmed">
        Not read
      </Text>
    );
  if (isActive)
    return (
      <Group gap="xs" wrap="nowrap">
        <StatusBadge state="RUNNING" label={status === 'QUEUED' ? 'Queued' : 'Reading'} />
        <Progress value={progress * 100} w={64} size="sm" aria-label="Progress of the recognition" />
      </Group>
    );
  const chunks = countOf(chunksCount, 'chunk');
  return <StatusBadge state={status} label={status === 'FAILED' ? 'Failed' : chunks} />;
}
