import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { outputsOf } from '@/canvas/node-outputs';
import { IconPin, IconPinnedOff } from '@/icons';
import { parseJson } from '@/shared/json/json-value';
import { JsonView } from '@/shared/json/json-view';
import { countOf } from '@/shared/lists/count';
import { Money } from '@/shared/money';
import { StatusBadge } from '@/shared/status-badge';
import { formatDuration } from '@/shared/time';
import { useEditorActions, useEditorView } from '../editor-context';
import type { GraphNode } from '../model/graph';
import { MAX_PIN } from '../model/partial-run';

/** "3" is the fourth round, "3.0" the first of a loop in it. */
const roundOf = (iteration: string) =>
  iteration
    .split('.')
    .map(index => Number(index) + 1)
    .join('.');

/** The pinned result of the node, else that of the run that is shown, or of the last one. */
export function ResultTab({ node: { id, type, data } }: { node: GraphNode }) {
  const { run, results, pins, kinds, scope, canEdit } = useEditorView();
  const { pin } = useEditorActions();
  const pinned = pins.get(id);
  const node = pinned === undefined ? run?.nodes.get(id) : undefined;
  const content = pinned ?? (node ? node.content : (results.get(id) ?? null));
  // The branch of a node with several outputs would be unknown.
  const canPin = canEdit && scope.length === 0 && outputsOf(kinds.get(type), data).length === 1;
  const json = content === null ? undefined : parseJson(content);
  const value = typeof json === 'object' && json !== null ? json : content;
  const seconds =
    node?.startedAt && node.endedAt ? (Date.parse(node.endedAt) - Date.parse(node.startedAt)) / 1_000 : null;
  return (
    <Stack gap="sm">
      {node ? (
        <Group gap="md" fz="sm">
          <StatusBadge state={node.state} />
          {seconds !== null && <Text fz="sm">{formatDuration(seconds)}</Text>}
          {node.iteration !== null && <Text fz="sm">Round {roundOf(node.iteration)}</Text>}
          {node.usage && <Text fz="sm">{countOf(node.usage.totalTokens, 'token')}</Text>}
          {node.usage?.costUsd && <Money usd={node.usage.costUsd} />}
        </Group>
      ) : (
        <Text fz="xs" c="dimmed">
          {pinned === undefined
            ? 'From the last run of the workflow.'
            : 'Pinned in this browser: “Run to here” uses it.'}
        </Text>
      )}
      {node?.error && (
        <Alert color="red" title={node.error.code}>
          {node.error.message}
        </Alert>
      )}
      {canPin && content !== null && content.length <= MAX_PIN && (
        <Button
          variant="default"
          size="xs"
          leftSection={pinned === undefined ? <IconPin size={15} /> : <IconPinnedOff size={15} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => pin(id, pinned === undefined ? content : null)}
        >
          {pinned === undefined ? 'Pin this result' : 'Unpin'}
        </Button>
      )}
      {value !== null && <JsonView value={value} label="Result of the node" maxHeight="60vh" />}
      {value === null && !node?.error && (
        <Text fz="sm" c="dimmed">
          No result yet.
        </Text>
      )}
    </Stack>
  );
}
