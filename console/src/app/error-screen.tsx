import { Box, Button, Group } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ProblemPanel } from '@/shared/layout/problem-panel';

const FILE_MISSING =
  'A part of the console could not be loaded: it has been updated, or the connection failed. Load it again.';

/** An error that a screen did not handle. The navigation stays usable. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isFileMissing = /dynamically imported module|Importing a module script failed/.test(String(error));
  const retry = () => {
    // A new release has other file names, which only a reload finds.
    if (isFileMissing) return location.reload();
    reset();
    void router.invalidate();
  };
  return (
    <Box maw="40rem" mx="auto" py="xl">
      <ProblemPanel error={isFileMissing ? new Error(FILE_MISSING) : error} />
      <Group mt="sm">
        <Button variant="default" onClick={retry}>
          {isFileMissing ? 'Reload' : 'Try again'}
        </Button>
      </Group>
    </Box>
  );
}
