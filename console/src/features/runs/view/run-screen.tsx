import { useApolloClient, useQuery } from '@apollo/client/react';
import { Alert, Anchor, Badge, Code, Drawer, Group, Paper, Skeleton, Stack, Tabs, Title } from '@mantine/core';
import { useDebouncedCallback, useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { DEFAULT_ENVIRONMENT } from '@/shared/project/environments';
import { shortId } from '@/shared/uuid';
import './run.css';
import { memo, useMemo } from 'react';
import { bodyOf, type CanvasGraph, readGraph } from '@/canvas/graph';
import { type NodeMark, RunCanvas } from '@/canvas/run-canvas';
import { type CanvasKind, useNodeKinds } from '@/canvas/use-node-kinds';
import { OpenApprovals } from '@/shared/approval/node-approvals';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { TabBar } from '@/shared/layout/tab-bar';
import { useSetSearch } from '@/shared/lists/list-search';
import { Money } from '@/shared/money';
import { useProjectId } from '@/shared/project/use-project';
import { StatusBadge } from '@/shared/status-badge';
import { Duration, formatDuration, RelativeTime } from '@/shared/time';
import { EditInputDialog } from './edit-input-dialog';
import { EventLog } from './event-log';
import { executionsOf, summariesOf } from './executions';
import { Ledger } from './ledger';
import { ErrorView, Fact, NodePanel } from './node-panel';
import { OutputView } from './output-view';
import { type RunDetailsFragment, RunStateDocument, RunViewDocument } from './run.generated';
import { RunActions } from './run-actions';
import { RunTagsEditor } from './run-tags-editor';
import type { Execution, RunSnapshot } from './run-trace';
import { useRunTrace } from './use-run-trace';
import { Waterfall } from './waterfall';

export interface RunSearch {
  /** The selected node. */
  node?: string;
  /** Its iteration, in loops. */
  iteration?: string;
  tab?: string;
}

/** Changes within this time cause one request for the state and the cost. */
const REFRESH_MS = 400;

/** A run, live until its end: its graph, timeline, events and charges, and the selected node or the result. */
export function RunScreen() {
  const { runId } = useParams({ strict: false }) as { runId: string };
  const query = useQuery(RunViewDocument, { variables: { id: runId } });
  const client = useApolloClient();
  const refreshState = useDebouncedCallback(
    () =>
      void client
        .query({ query: RunStateDocument, variables: { id: runId }, fetchPolicy: 'network-only' })
        .catch(() => undefined),
    REFRESH_MS,
  );
  const snapshot = useRunTrace(runId, isEnd => {
    if (isEnd) void query.refetch().catch(() => undefined);
    else refreshState();
  });
  return (
    <QueryView query={query} skeleton={<RunSkeleton />}>
      {({ workflowRun }) => workflowRun && <RunDetails run={workflowRun} snapshot={snapshot} />}
    </QueryView>
  );
}

interface NamedNode {
  label: string;
  kind: CanvasKind | undefined;
}

function RunDetails({ run, snapshot }: { run: RunDetailsFragment; snapshot: RunSnapshot }) {
  const { node, iteration, tab = 'timeline' } = useSearch({ strict: false }) as RunSearch;
  const setSearch = useSetSearch<RunSearch & { page?: number }>();
  const isNarrow = useMediaQuery('(max-width: 75em)') ?? false;
  const [isForking, forking] = useDisclosure(false);
  const kinds = useNodeKinds();
  const graph = useMemo(() => readGraph(run.data), [run.data]);
  const nodes = useMemo(() => namedNodes(graph, kinds), [graph, kinds]);
  const executions = useMemo(() => executionsOf(run, snapshot), [run, snapshot]);
  const marks = useMemo(() => marksOf(executions), [executions]);
  const isLive = run.runFinishedAt === null && run.state !== 'DRAFT';
  const waitsFor = isLive ? requestsOf(executions).join() : '';
  const select = (nodeId: string | null, itsIteration: string | null = null) =>
    setSearch({ node: nodeId ?? undefined, iteration: itsIteration ?? undefined });
  const executionsOfNode = node === undefined ? [] : executions.filter(({ nodeId }) => nodeId === node);
  const shown = executionsOfNode.find(one => one.iteration === (iteration ?? null)) ?? executionsOfNode[0];
  const named = node === undefined ? undefined : (nodes.get(node) ?? { label: node, kind: undefined });
  // A run can be forked only at nodes outside of loops.
  const isTopLevel = graph.nodes.some(({ id }) => id === node);
  const panel = node !== undefined && named && (
    <NodePanel
      nodeId={node}
      {...named}
      run={run}
      executions={executionsOfNode}
      shown={shown}
      onShow={key => select(node, executionsOfNode.find(one => one.key === key)?.iteration)}
      onClose={() => select(null)}
      onFork={run.project.canEdit && isTopLevel && !isLive ? forking.open : undefined}
    />
  );
  return (
    <>
      <RunHeader run={run} />
      {/* The panel of a node has its own. The requests are loaded again when the run waits for others. */}
      {!panel && waitsFor !== '' && (
        <OpenApprovals key={waitsFor} projectId={run.project.id} runId={run.id} canDecide={run.project.canEdit} />
      )}
      <div className="run-layout">
        <Stack gap="md" style={{ minWidth: 0 }}>
          <Paper className="run-canvas-area">
            <RunCanvas
              graph={graph}
              marks={marks}
              selected={node ?? null}
              onSelect={nodeId => select(nodeId)}
              label="Graph of the run"
            />
          </Paper>
          <Paper>
            <Tabs value={tab} onChange={next => setSearch({ tab: next ?? undefined })} keepMounted={false}>
              <TabBar>
                <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
                <Tabs.Tab value="events">Events</Tabs.Tab>
                <Tabs.Tab value="ledger">Charges</Tabs.Tab>
              </TabBar>
              <Tabs.Panel value="timeline">
                <Waterfall
                  executions={executions}
                  runStartedAt={run.runStartedAt}
                  nodes={nodes}
                  selected={shown?.key ?? null}
                  onSelect={key => {
                    const chosen = executions.find(one => one.key === key);
                    if (chosen) select(chosen.nodeId, chosen.iteration);
                  }}
                  isLive={isLive}
                />
              </Tabs.Panel>
              <Tabs.Panel value="events">
                <EventLog
                  events={snapshot.events}
                  dropped={snapshot.dropped}
                  labelOf={id => nodes.get(id)?.label ?? id}
                  isLive={isLive}
                />
              </Tabs.Panel>
              <Tabs.Panel value="ledger">
                <Ledger runId={run.id} />
              </Tabs.Panel>
            </Tabs>
          </Paper>
        </Stack>
        {isNarrow || !panel ? <RunContents run={run} isLive={isLive} /> : panel}
      </div>
      <Drawer.Root opened={isNarrow && Boolean(panel)} onClose={() => select(null)} position="bottom" size="80%">
        <Drawer.Overlay />
        <Drawer.Content aria-label={named?.label} radius="md">
          <Drawer.Body p={0}>{panel}</Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      {isForking && node !== undefined && named && (
        <EditInputDialog run={run} fork={{ nodeId: node, label: named.label }} onClose={forking.close} />
      )}
    </>
  );
}

/** Drawn again only with the run itself, not with each event of it. */
const RunHeader = memo(function RunHeader({ run }: { run: RunDetailsFragment }) {
  const params = { projectId: String(useProjectId()) };
  const { id, state, workflow, cost, duration, createdAt, forkedFromId, parentRunId, tags } = run;
  const runLink = (runId: string, text: string) => (
    <Anchor renderRoot={link => <Link {...link} to="/projects/$projectId/runs/$runId" params={{ ...params, runId }} />}>
      {text}
    </Anchor>
  );
  return (
    <>
      <PageHeader
        title={workflow?.title ?? 'Run'}
        trail={[
          {
            label: 'Runs',
            link: (
              <Anchor renderRoot={link => <Link {...link} to="/projects/$projectId/runs" params={params} />}>
                Runs
              </Anchor>
            ),
          },
          { label: 'Run', link: shortId(id) },
        ]}
        badges={
          <Group gap="sm">
            <StatusBadge state={state} />
            {run.isApiRun && <Badge variant="light">API run</Badge>}
            {run.useAsMarketplaceTemplate && <Badge variant="light">Template</Badge>}
            {run.useInMarketplaceExample && <Badge variant="light">Example</Badge>}
          </Group>
        }
        actions={<RunActions run={run} />}
      />
      <dl className="run-facts">
        <Fact name="Started">
          <RelativeTime at={run.runStartedAt ?? createdAt} />
        </Fact>
        <Fact name="Duration">
          <Duration seconds={duration} />
        </Fact>
        <Fact name="Cost">
          <Money usd={cost.usd} />
        </Fact>
        {run.environment !== DEFAULT_ENVIRONMENT && <Fact name="Environment">{run.environment}</Fact>}
        {forkedFromId !== null && <Fact name="Forked from">{runLink(forkedFromId, shortId(forkedFromId))}</Fact>}
        {parentRunId !== null && <Fact name="Started by">{runLink(parentRunId, `run ${shortId(parentRunId)}`)}</Fact>}
        {(tags.length > 0 || run.project.canEdit) && (
          <Fact name="Tags">
            <RunTagsEditor run={run} />
          </Fact>
        )}
        <Fact name="Id">
          <Code fz={12}>{id}</Code>
        </Fact>
      </dl>
    </>
  );
});

interface StoredResult {
  output?: unknown;
  error?: { code?: string; message?: string } | null;
}

/** Input, output and error of the whole run. */
const RunContents = memo(function RunContents({ run, isLive }: { run: RunDetailsFragment; isLive: boolean }) {
  const result = (run.result ?? null) as StoredResult | null;
  const failure = result?.error ?? firstError(run);
  return (
    <Stack gap="md" style={{ minWidth: 0 }}>
      {failure && (
        <ErrorView error={{ code: failure.code ?? 'error', message: failure.message ?? 'The run failed.' }} />
      )}
      <Paper component="section" p="md" aria-label="Result">
        <Title order={2} mb="xs">
          Result
        </Title>
        {result?.output !== undefined && result.output !== null ? (
          <OutputView value={result.output} label="result" />
        ) : (
          <Alert variant="transparent" p={0} color="gray">
            {isLive ? 'The result appears here when the run has ended.' : 'The run has no result.'}
          </Alert>
        )}
      </Paper>
      <Paper component="section" p="md" aria-label="Input">
        <Title order={2} mb="xs">
          Input
        </Title>
        <OutputView value={run.inputData} label="input" />
      </Paper>
    </Stack>
  );
});

function firstError({ state, nodes }: RunDetailsFragment) {
  return state === 'FAILED'
    ? (nodes.find(({ status, error }) => status !== 'SUCCEEDED' && error)?.error ?? null)
    : null;
}

/** Labels of all nodes, also of those in bodies of loops. */
function namedNodes(graph: CanvasGraph, kinds: ReadonlyMap<string, CanvasKind>): Map<string, NamedNode> {
  return new Map(
    graph.nodes.flatMap((node): [string, NamedNode][] => {
      const body = bodyOf(node);
      return [
        [node.id, { label: node.label, kind: kinds.get(node.type) }],
        ...(body === null ? [] : namedNodes(body, kinds)),
      ];
    }),
  );
}

function marksOf(executions: readonly Execution[]): Map<string, NodeMark> {
  return new Map(
    [...summariesOf(executions)].map(([id, { state, duration, isReused }]) => {
      const time = duration === null ? undefined : formatDuration(duration / 1_000);
      return [id, { state, detail: isReused ? 'Reused' : time }];
    }),
  );
}

/** The ids of the approval requests that the run waits for. */
function requestsOf(executions: readonly Execution[]): string[] {
  return executions.flatMap(({ state, wait }) =>
    state === 'WAITING' && wait?.kind === 'APPROVAL' ? (wait.requestId ?? []) : [],
  );
}

function RunSkeleton() {
  return (
    <Stack aria-busy="true" aria-label="Loading">
      <Skeleton height={28} width={260} />
      <Skeleton height={300} radius="md" />
      <Skeleton height={200} radius="md" />
    </Stack>
  );
}
