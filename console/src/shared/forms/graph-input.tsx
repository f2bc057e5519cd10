import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { parseGraph } from '@/canvas/graph';
import { IconFile } from '@/icons';

export interface GraphInputProps {
  value: string;
  onChange: (text: string) => void;
}

/** A graph as pasted text or from a file. */
export function GraphInput({ value, onChange }: GraphInputProps) {
  const parsed = parseGraph(value);
  return (
    <Stack gap="xs">
      <Textarea
        label="Graph as JSON"
        description="A graph, or a workflow of the API with its member data."
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
        autosize
        minRows={8}
        maxRows={16}
        error={value.trim() !== '' && !parsed ? 'This is not a graph: expected an object with a list “nodes”.' : null}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.79rem' } }}
        data-autofocus
      />
      <Group justify="space-between">
        <FileButton accept="application/json,.json" onChange={file => void file?.text().then(onChange)}>
          {props => (
            <Button {...props} variant="default" leftSection={<IconFile size={16} />}>
              Choose a file
            </Button>
          )}
        </FileButton>
        {parsed && (
          <Text fz="sm" c="dimmed">
            {(parsed.graph.nodes as unknown[]).length} nodes
          </Text>
        )}
      </Group>
    </Stack>
  );
}
