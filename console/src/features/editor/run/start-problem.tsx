import { Anchor, Stack } from '@mantine/core';
import { faultyPath } from '@/api/errors';
import type { StartProblem } from './use-run';

export interface StartProblemTextProps {
  problem: StartProblem;
  labelOf: (nodeId: string) => string;
  /** Selects a node. Absent: the names of the nodes are no buttons. */
  onNode?: (nodeId: string) => void;
}

/** Why a start was refused: the message, or the issues with the names of their nodes. */
export function StartProblemText({ problem: { message, issues }, labelOf, onNode }: StartProblemTextProps) {
  if (issues.length === 0) return message;
  const nameOf = (nodeId: string) =>
    onNode ? (
      <Anchor component="button" type="button" fz="inherit" onClick={() => onNode(nodeId)}>
        {labelOf(nodeId)}
      </Anchor>
    ) : (
      labelOf(nodeId)
    );
  return (
    <Stack gap={4}>
      {issues.map(issue => {
        const { nodeId, path, message: text } = issue;
        return (
          <span key={`${nodeId} ${path} ${text}`}>
            {nodeId !== null && nameOf(nodeId)}
            {nodeId !== null && path !== null && ', '}
            {faultyPath(issue) ?? (nodeId === null && 'Graph')}: {text}.
          </span>
        );
      })}
    </Stack>
  );
}
