import { Box, Button, Group } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ProblemPanel } from '@/shared/layout/problem-panel';

/** An error that a screen did not handle. The navigation stays usable. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isOldRelease = /dynamically imported module|Importing a module script failed/.test(String(error));
  const retry = () => {
    // A new release has other file names; only a reload finds them.
    if (isOldRelease) location.reload();
    reset();
    void router.invalidate();
  };
  return (
    <Box maw="40rem" mx="auto" py="xl">
      <ProblemPanel error={isOldRelease ? new Error('The console has been updated. Load it again.') : error} />
      <Group mt="sm">
        <Button variant="default" onClick={retry}>
          {isOldRelease ? 'Reload' : 'Try again'}
        </Button>
      </Group>
    </Box>
  );
}
