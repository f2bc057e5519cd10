import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { readGraph } from '@/canvas/graph';
import { type NodeMark, RunCanvas } from '@/canvas/run-canvas';
import { IconArrowsDiff, IconArrowsLeftRight, IconCheck } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { Money } from '@/shared/money';
import { useProjectId } from '@/shared/project/use-project';
import { labelOfState, StatusBadge } from '@/shared/status-badge';
import { pretty, TextDiff, textOf } from '@/shared/text-diff/text-diff';
import { Duration, RelativeTime } from '@/shared/time';
import { shortId } from '@/shared/uuid';
import {
  type ComparedNodeFragment,
  type ComparedRunFragment,
  CompareRunsDocument,
  type CompareRunsQuery,
} from './compare.generated';

type Diff = NonNullable<CompareRunsQuery['workflowRunDiff']>;

/** Two runs side by side: their graphs, and the differences of their inputs, nodes and results. */
export function CompareScreen() {
  const { left, right } = useSearch({ strict: false }) as { left?: string; right?: string };
  if (left === undefined || right === undefined)
    return (
      <Frame>
        <EmptyState icon={IconArrowsDiff} title="Choose two runs" action={<ToRuns />}>
          Select two runs in the list, or open a run and choose “Compare with another run”.
        </EmptyState>
      </Frame>
    );
  return <Comparison left={left} right={right} />;
}

function Frame({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  const params = { projectId: String(useProjectId()) };
  return (
    <>
      <PageHeader
        title="Compare runs"
        trail={[
          {
            label: 'Runs',
            link: (
              <Anchor renderRoot={link => <Link {...link} to="/projects/$projectId/runs" params={params} />}>
                Runs
              </Anchor>
            ),
          },
          { label: 'Compare', link: 'Compare' },
        ]}
        actions={actions}
      />
      {children}
    </>
  );
}

function ToRuns() {
  const params = { projectId: String(useProjectId()) };
  return (
    <Button renderRoot={props => <Link {...props} to="/projects/$projectId/runs" params={params} />}>All runs</Button>
  );
}

function Comparison({ left, right }: { left: string; right: string }) {
  const navigate = useNavigate();
  const query = useQuery(CompareRunsDocument, { variables: { left, right } });
  // The route of this component is not known to the types of the router.
  const swap = () => void navigate({ to: '.', search: { left: right, right: left } } as never);
  return (
    <Frame
      actions={
        <Button variant="default" leftSection={<IconArrowsLeftRight size={16} />} onClick={swap}>
          Swap
        </Button>
      }
    >
      <QueryView query={query}>
        {({ workflowRunDiff }) =>
          workflowRunDiff && (
            <Stack gap="lg">
              <div className="compare-pair">
                <Side
                  name="Left"
                  run={workflowRunDiff.left}
                  cost={workflowRunDiff.leftCost.usd}
                  diff={workflowRunDiff}
                />
                <Side
                  name="Right"
                  run={workflowRunDiff.right}
                  cost={workflowRunDiff.rightCost.usd}
                  diff={workflowRunDiff}
                />
              </div>
              {!workflowRunDiff.sameGraph && (
                <Alert color="yellow" variant="light">
                  The runs used different versions of the graph.
                </Alert>
              )}
              <Inputs diff={workflowRunDiff} />
              <Nodes diff={workflowRunDiff} />
              <Outputs diff={workflowRunDiff} />
            </Stack>
          )
        }
      </QueryView>
    </Frame>
  );
}

/** One of the runs. A click on a node scrolls to its difference. */
function Side({ name, run, cost, diff }: { name: string; run: ComparedRunFragment; cost: string; diff: Diff }) {
  const params = { projectId: String(useProjectId()), runId: run.id };
  const graph = useMemo(() => readGraph(run.data), [run.data]);
  const marks = useMemo(() => marksOf(run, diff), [run, diff]);
  return (
    <Paper component="section" aria-label={`${name} run`}>
      <Group p="sm" justify="space-between" gap="xs">
        <Group gap="sm">
          <StatusBadge state={run.state} />
          <Anchor
            fw={500}
            renderRoot={link => <Link {...link} to="/projects/$projectId/runs/$runId" params={params} />}
          >
            {run.workflow?.title ?? 'Run'} · {shortId(run.id)}
          </Anchor>
        </Group>
        <Text fz="sm" c="dimmed" component="div">
          <RelativeTime at={run.createdAt} /> · <Duration seconds={run.duration} /> · <Money usd={cost} />
        </Text>
      </Group>
      <div className="compare-canvas">
        <RunCanvas
          graph={graph}
          marks={marks}
          selected={diff.first?.nodeId ?? null}
          onSelect={id => document.getElementById(`node-${id}`)?.scrollIntoView({ block: 'center' })}
          label={`Graph of the ${name.toLowerCase()} run`}
        />
      </div>
    </Paper>
  );
}

function marksOf(run: ComparedRunFragment, { nodes, first }: Diff): Map<string, NodeMark> {
  const differing = new Set(nodes.map(({ nodeId }) => nodeId));
  return new Map(
    run.nodes.map(({ nodeId, status }) => [
      nodeId,
      {
        state: status,
        detail: nodeId === first?.nodeId ? 'First difference' : differing.has(nodeId) ? 'Different' : 'Same',
      },
    ]),
  );
}

function Inputs({ diff: { inputs } }: { diff: Diff }) {
  return (
    <section aria-label="Input">
      <Title order={2} mb="xs">
        Input
      </Title>
      {inputs.length === 0 ? (
        <Same>Both runs have the same input.</Same>
      ) : (
        <Stack gap="sm">
          {inputs.map(({ field, left, right }) => (
            <div key={field}>
              <Text fz="sm" fw={500} mb={4}>
                {field}
              </Text>
              <TextDiff left={textOf(left)} right={textOf(right)} />
            </div>
          ))}
        </Stack>
      )}
    </section>
  );
}

function Nodes({ diff: { nodes, first } }: { diff: Diff }) {
  return (
    <section aria-label="Nodes">
      <Title order={2} mb="xs">
        Nodes
      </Title>
      {nodes.length === 0 ? (
        <Same>Every node has the same result.</Same>
      ) : (
        <Stack gap="sm">
          {nodes.map(({ nodeId, label, left, right, leftCost, rightCost }) => (
            <Paper
              key={nodeId}
              id={`node-${nodeId}`}
              p="sm"
              className={nodeId === first?.nodeId ? 'compare-first' : undefined}
            >
              <Group justify="space-between" mb="xs">
                <Group gap="xs">
                  <Text fw={550}>{label}</Text>
                  {nodeId === first?.nodeId && <Badge variant="light">First difference</Badge>}
                </Group>
                <Text fz="sm" c="dimmed" component="div">
                  <Money usd={leftCost.usd} /> → <Money usd={rightCost.usd} />
                </Text>
              </Group>
              <TextDiff left={nodeText(left)} right={nodeText(right)} />
            </Paper>
          ))}
        </Stack>
      )}
    </section>
  );
}

function Outputs({ diff: { leftOutput, rightOutput } }: { diff: Diff }) {
  const left = textOf(leftOutput);
  const right = textOf(rightOutput);
  return (
    <section aria-label="Result">
      <Title order={2} mb="xs">
        Result
      </Title>
      {left === right ? <Same>Both runs have the same result.</Same> : <TextDiff left={left} right={right} />}
    </section>
  );
}

function Same({ children }: { children: ReactNode }) {
  return (
    <Group gap={6} c="dimmed" fz="sm">
      <IconCheck size={16} />
      {children}
    </Group>
  );
}

function nodeText(node: ComparedNodeFragment | null): string {
  if (node === null) return 'Not executed';
  if (node.error) return `${node.error.code}: ${node.error.message}`;
  return node.content === null ? labelOfState(node.status) : pretty(node.content);
}
