import { useQuery } from '@apollo/client/react';
import { ScrollArea, Stack, Table, Text } from '@mantine/core';
import { QueryView } from '@/shared/layout/query-view';
import { Money } from '@/shared/money';
import { RunEffectsDocument, type RunEffectsQuery, type RunEffectsQueryVariables } from './effects.generated';

type Effects = NonNullable<RunEffectsQuery['workflowRunEffects']>;

/** Shows before a repetition of a run which calls it makes, and what they are expected to cost. */
export function EffectsView(variables: RunEffectsQueryVariables) {
  const query = useQuery(RunEffectsDocument, { variables, fetchPolicy: 'network-only' });
  return <QueryView query={query}>{data => <EffectsTable effects={data.workflowRunEffects} />}</QueryView>;
}

function EffectsTable({ effects }: { effects: Effects | null | undefined }) {
  if (!effects || effects.nodes.length === 0) return <Text fz="sm">The new run makes no calls.</Text>;
  const { nodes, expectedCost, unknownCostCount } = effects;
  return (
    <Stack gap="xs">
      {/* The keyboard must reach a scrolled area (WCAG 2.2, 2.1.1). */}
      <ScrollArea.Autosize
        mah={320}
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Calls of the nodes' }}
      >
        <Table aria-label="Effects" fz="sm" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Node</Table.Th>
              <Table.Th>Already made</Table.Th>
              <Table.Th>Reused</Table.Th>
              <Table.Th>Made again</Table.Th>
              <Table.Th>New</Table.Th>
              <Table.Th>Cost</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {nodes.map(node => (
              <Table.Tr key={node.nodeId}>
                <Table.Td miw={120} style={{ overflowWrap: 'anywhere' }}>
                  {node.label}
                </Table.Td>
                <Table.Td title={node.idempotencyKeys.join('\n')}>
                  {node.openCount > 0 ? `${node.madeCount} (+${node.openCount} unclear)` : node.madeCount}
                </Table.Td>
                <Table.Td>{node.reusedCount}</Table.Td>
                <Table.Td>{formatCount(node.repeatedCount, node.isCertain)}</Table.Td>
                <Table.Td>{formatCount(node.newCount, node.isCertain)}</Table.Td>
                <Table.Td>
                  <Money usd={node.expectedCost.usd} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      <Text fz="sm">
        Expected cost: <Money usd={expectedCost.usd} />
        {unknownCostCount > 0 && `, and ${unknownCostCount.toLocaleString()} calls without a recorded cost`}
      </Text>
    </Stack>
  );
}

/** `isCertain` is false if results that are not known yet decide about the calls. */
function formatCount(count: number, isCertain: boolean): string {
  return isCertain || count === 0 ? String(count) : `perhaps ${count}`;
}

/** Describes in one sentence the calls that the cancellation of a run aborts. */
export function CancelEffects({ id }: { id: string }) {
  const { data } = useQuery(RunEffectsDocument, { variables: { id, action: 'CANCEL' }, fetchPolicy: 'network-only' });
  const nodes = data?.workflowRunEffects?.nodes ?? [];
  const made = nodes.reduce((sum, node) => sum + node.madeCount, 0);
  const open = nodes.filter(node => node.openCount > 0);
  if (made === 0 && open.length === 0) return null;
  const names = open.map(node => node.label).join(', ');
  return (
    <span>
      {` ${made.toLocaleString()} calls were already made.`}
      {open.length > 0 && ` In progress: ${names}.`}
    </span>
  );
}
