import { ActionIcon, Box, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { IconX } from '@/icons';
import { formatSize } from './format-size';
import type { Upload } from './use-uploads';

/** The uploads that are not in the list of documents yet. */
export function UploadList({ uploads, onDismiss }: { uploads: readonly Upload[]; onDismiss: (id: number) => void }) {
  if (uploads.length === 0) return null;
  return (
    <Stack gap="xs" mb="md" role="group" aria-label="Uploads">
      {uploads.map(({ id, label, size, progress, state, problem }) => (
        <Paper key={id} p="sm">
          <Group gap="sm" wrap="nowrap">
            <Box style={{ flex: 1, minWidth: 0 }}>
              <Group justify="space-between" wrap="nowrap" mb={6}>
                <Text fz="sm" fw={500} truncate>
                  {label}
                </Text>
                <Text fz="xs" c="dimmed" className="tabular" style={{ whiteSpace: 'nowrap' }}>
                  {state === 'sending' && progress < 1 && `${Math.round(progress * 100)} % of `}
                  {formatSize(size)}
                </Text>
              </Group>
              {state === 'failed' ? (
                <Text fz="sm" c="red" role="alert">
                  {problem}
                </Text>
              ) : (
                <Progress value={progress * 100} size="sm" animated={progress >= 1} aria-label={`Upload of ${label}`} />
              )}
            </Box>
            <ActionIcon
              aria-label={state === 'failed' ? `Dismiss ${label}` : `Cancel the upload of ${label}`}
              onClick={() => onDismiss(id)}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
