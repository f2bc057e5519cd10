import { useQuery } from '@apollo/client/react';
import { Title } from '@mantine/core';
import { JsonTree } from '@/shared/json/json-tree';
import { NodeInputDocument } from './run.generated';
import type { Execution } from './run-trace';

/** The resolved input of the node: its settings with the values of their placeholders. */
export function NodeInput({ runId, execution: { nodeId, iteration } }: { runId: string; execution: Execution }) {
  const variables = { id: runId, nodeId, iteration };
  const { data } = useQuery(NodeInputDocument, { variables, fetchPolicy: 'network-only' });
  const input = data?.workflowRun?.nodes[0]?.resolvedInput;
  if (input === null || input === undefined) return null;
  return (
    <section aria-label="Input">
      <Title order={3} mb={4}>
        Input
      </Title>
      <div className="console-json" style={{ padding: '0.5rem 0.6rem', maxHeight: 320, overflow: 'auto' }}>
        <JsonTree value={input} label="input" open={4} />
      </div>
    </section>
  );
}
