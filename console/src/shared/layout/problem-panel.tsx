import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { type Problem, problemOf } from '@/api/errors';
import { IconAlertTriangle, IconRefresh } from '@/icons';

/** An error in place of the content that failed to load, with the id of the request and a way to try again. */
export function ProblemPanel({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return <Panel {...problemOf(error)} onRetry={onRetry} />;
}

/** What `ProblemPanel` shows for an item that does not exist. */
export function NotFoundPanel() {
  return <Panel message="" code="NOT_FOUND" requestId={null} />;
}

interface PanelProps extends Pick<Problem, 'message' | 'code' | 'requestId'> {
  onRetry?: (() => void) | undefined;
}

function Panel({ message, code, requestId, onRetry }: PanelProps) {
  const isMissing = code === 'NOT_FOUND';
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={20} />}
      title={isMissing ? 'Not found' : 'This could not be loaded'}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text fz="sm">{isMissing ? 'It does not exist, or you may not see it.' : message}</Text>
        {requestId !== null && (
          <Text fz="xs">
            Request <Code>{requestId}</Code>
          </Text>
        )}
        {onRetry !== undefined && !isMissing && (
          <Group>
            <Button size="xs" variant="default" leftSection={<IconRefresh size={14} />} onClick={onRetry}>
              Try again
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
