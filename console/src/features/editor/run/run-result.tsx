import { Alert, Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconExternalLink, IconRefresh } from '@/icons';
import { parseJson } from '@/shared/json/json-value';
import { JsonView } from '@/shared/json/json-view';
import { Money } from '@/shared/money';
import { useProjectId } from '@/shared/project/use-project';
import { StatusBadge } from '@/shared/status-badge';
import { formatDuration } from '@/shared/time';
import { isEnded, type RunView } from '../model/run-state';

export interface RunResultProps {
  run: RunView;
  labelOf: (nodeId: string) => string;
  /** Absent: nodes cannot be chosen. */
  onNode?: (nodeId: string) => void;
  onAgain: () => void;
}

/** The state of a run while it works, and its output. */
export function RunResult({ run, labelOf, onNode, onAgain }: RunResultProps) {
  const projectId = String(useProjectId());
  return (
    <Stack gap="md">
      <Group gap="md" role="status" fz="sm">
        <StatusBadge state={run.state} />
        {run.duration !== null && <Text fz="sm">{formatDuration(run.duration)}</Text>}
        {run.cost !== null && <Money usd={run.cost} />}
      </Group>
      {run.error !== null && (
        <Alert color="red" title="The run failed">
          {run.error}
        </Alert>
      )}
      {run.nodes.size > 0 && (
        <Stack gap={0} component="ol" className="editor-run-nodes" aria-label="Nodes of the run">
          {[...run.nodes.values()].map(node => (
            <li key={node.nodeId}>
              <UnstyledButton
                className="editor-run-node"
                onClick={() => onNode?.(node.nodeId)}
                disabled={onNode === undefined}
              >
                <span>{labelOf(node.nodeId)}</span>
                <StatusBadge state={node.state} />
              </UnstyledButton>
            </li>
          ))}
        </Stack>
      )}
      {isEnded(run) && run.output !== null && (
        <div>
          <Text fz="sm" fw={550} mb={6}>
            Output
          </Text>
          <JsonView value={parseIfObject(run.output)} label="Output of the run" maxHeight="46vh" />
        </div>
      )}
      {run.state === 'SUCCEEDED' && run.output === null && <LastResult run={run} labelOf={labelOf} />}
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconExternalLink size={16} />}
          renderRoot={props => (
            <Link {...props} to="/projects/$projectId/runs/$runId" params={{ projectId, runId: run.id }} />
          )}
        >
          Open the run
        </Button>
        {isEnded(run) && (
          <Button leftSection={<IconRefresh size={16} />} onClick={onAgain}>
            Run again
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Instead of the output, the result of the node outside loops that ended last. */
function LastResult({ run, labelOf }: Pick<RunResultProps, 'run' | 'labelOf'>) {
  const withResult = [...run.nodes.values()].filter(({ content, iteration }) => content !== null && iteration === null);
  // Times in ISO 8601 sort as texts. Of equal ones the node that started last counts.
  const [last] = withResult.toReversed().toSorted((a, b) => (b.endedAt ?? '').localeCompare(a.endedAt ?? ''));
  return (
    <div>
      {last && (
        <>
          <Text fz="sm" fw={550} mb={6}>
            Result of “{labelOf(last.nodeId)}”
          </Text>
          <JsonView value={parseIfObject(last.content)} label="Result of the last node" maxHeight="46vh" />
        </>
      )}
      <Text fz="xs" c="dimmed" mt={6}>
        The run reached no output node, so it has no output. Add one after the last node to return its result.
      </Text>
    </div>
  );
}

function parseIfObject(output: unknown): unknown {
  const json = typeof output === 'string' ? parseJson(output) : output;
  return typeof json === 'object' && json !== null ? json : output;
}
