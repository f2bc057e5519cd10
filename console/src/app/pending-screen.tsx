import { Skeleton, Stack } from '@mantine/core';
import { LinesSkeleton } from '@/shared/layout/query-view';

/** Shown while the code of a screen loads. */
export function PendingScreen() {
  return (
    <Stack gap="lg">
      <Skeleton height={26} width={200} />
      <LinesSkeleton lines={4} />
    </Stack>
  );
}
