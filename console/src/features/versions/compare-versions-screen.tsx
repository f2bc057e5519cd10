import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { readGraph } from '@/canvas/graph';
import { type NodeMark, RunCanvas } from '@/canvas/run-canvas';
import { IconArrowsLeftRight, IconCheck } from '@/icons';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { countOf } from '@/shared/lists/count';
import { useProjectId } from '@/shared/project/use-project';
import { labelOfState, StatusBadge } from '@/shared/status-badge';
import { TextDiff, textOf } from '@/shared/text-diff/text-diff';
import { RelativeTime } from '@/shared/time';
import { PublishedBadge } from './published-badge';
import {
  type ChangedSettingFragment,
  type ComparedVersionFragment,
  VersionDiffDocument,
  type VersionDiffQuery,
} from './versions.generated';

type Diff = NonNullable<VersionDiffQuery['workflowRevisionDiff']>;
type NodeChange = Diff['nodes'][number];

/** Two versions of a workflow side by side. */
export function CompareVersionsScreen() {
  const { workflowId } = useParams({ strict: false }) as { workflowId: string };
  const { left, right } = useSearch({ strict: false }) as { left: number; right: number };
  const id = Number(workflowId);
  const navigate = useNavigate();
  const query = useQuery(VersionDiffDocument, { variables: { id, left, right } });
  const swap = () => void navigate({ to: '.', search: { left: right, right: left } } as never);
  const params = { projectId: String(useProjectId()), workflowId };
  return (
    <>
      <PageHeader
        title="Compare versions"
        trail={[
          {
            label: 'workflow',
            link: (
              <Anchor
                renderRoot={link => <Link {...link} to="/projects/$projectId/workflows/$workflowId" params={params} />}
              >
                {query.data?.workflow?.title ?? `Workflow ${id}`}
              </Anchor>
            ),
          },
          {
            label: 'versions',
            link: (
              <Anchor
                renderRoot={link => (
                  <Link {...link} to="/projects/$projectId/workflows/$workflowId/versions" params={params} />
                )}
              >
                Versions
              </Anchor>
            ),
          },
        ]}
        actions={
          <Button variant="default" leftSection={<IconArrowsLeftRight size={16} />} onClick={swap}>
            Swap
          </Button>
        }
      />
      <QueryView query={query}>
        {({ workflowRevisionDiff }) => workflowRevisionDiff && <Comparison diff={workflowRevisionDiff} />}
      </QueryView>
    </>
  );
}

function Comparison({ diff }: { diff: Diff }) {
  const { left, right, nodes, edges, settings } = diff;
  const changed = nodes.filter(({ isMovedOnly }) => !isMovedOnly);
  const moved = nodes.length - changed.length;
  const labels = labelsOf(diff);
  const nodeText = (id: string | null) => (id === null ? 'nothing' : (labels.get(id) ?? id));
  return (
    <Stack gap="lg">
      <div className="compare-pair">
        <Side version={left} changes={changed} />
        <Side version={right} changes={changed} />
      </div>
      {changed.length + edges.length + settings.length === 0 && (
        <Group gap={6} c="dimmed" fz="sm">
          <IconCheck size={16} />
          Runs of both versions do the same.
        </Group>
      )}
      {changed.length > 0 && (
        <Part title="Nodes">
          {changed.map(node => (
            <Paper key={node.nodeId} id={`node-${node.nodeId}`} p="sm">
              <Group gap="xs" mb={node.settings.length > 0 ? 'xs' : 0}>
                <Text fw={550}>{node.label}</Text>
                <StatusBadge state={node.change} />
              </Group>
              <Settings settings={node.settings} />
            </Paper>
          ))}
        </Part>
      )}
      {edges.length > 0 && (
        <Part title="Connections">
          {edges.map(edge => (
            <Text key={JSON.stringify(edge)} fz="sm">
              {labelOfState(edge.change)}: {nodeText(edge.source)}
              {edge.sourceHandle !== null && ` (${edge.sourceHandle})`} → {nodeText(edge.target)}
            </Text>
          ))}
        </Part>
      )}
      {settings.length > 0 && (
        <Part title="Settings of the workflow">
          <Settings settings={settings} />
        </Part>
      )}
      {moved > 0 && (
        <Text fz="sm" c="dimmed">
          {moved === 1 ? 'One more node was' : `${countOf(moved, 'more node')} were`} only moved on the canvas.
        </Text>
      )}
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2} mb="xs">
        {title}
      </Title>
      <Stack gap="sm">{children}</Stack>
    </section>
  );
}

function Settings({ settings }: { settings: readonly ChangedSettingFragment[] }) {
  return (
    <Stack gap="sm">
      {settings.map(({ path, before, after }) => (
        <div key={path}>
          <Text fz="sm" fw={500} mb={4}>
            {path.replace(/^data\./, '')}
          </Text>
          <TextDiff left={textOf(before)} right={textOf(after)} />
        </div>
      ))}
    </Stack>
  );
}

function Side({ version, changes }: { version: ComparedVersionFragment; changes: readonly NodeChange[] }) {
  const graph = useMemo(() => readGraph(version.data), [version.data]);
  const marks = useMemo(() => {
    const changeOf = new Map(changes.map(({ nodeId, change }) => [nodeId, change]));
    return new Map(
      graph.nodes.map(({ id }): [string, NodeMark] => {
        const state = changeOf.get(id) ?? 'SAME';
        return [id, { state, detail: labelOfState(state) }];
      }),
    );
  }, [graph, changes]);
  return (
    <Paper component="section" aria-label={`Version ${version.number}`}>
      <Group p="sm" justify="space-between" gap="xs">
        <Group gap="xs">
          <Text fw={550}>Version {version.number}</Text>
          {version.name !== '' && <Text>{version.name}</Text>}
          {version.isCurrent && <Badge variant="light">Current</Badge>}
          {version.isPublished && <PublishedBadge />}
        </Group>
        <Text fz="sm" c="dimmed" component="div">
          {version.userName ?? 'Unknown'} · <RelativeTime at={version.createdAt} />
        </Text>
      </Group>
      <div className="compare-canvas">
        <RunCanvas
          graph={graph}
          marks={marks}
          selected={null}
          onSelect={id => document.getElementById(`node-${id}`)?.scrollIntoView({ block: 'center' })}
          label={`Graph of version ${version.number}`}
        />
      </div>
    </Paper>
  );
}

/** The labels of nodes by id. The right version takes precedence. */
function labelsOf({ left, right }: Diff): ReadonlyMap<string, string> {
  const nodes = [left, right].flatMap(({ data }) => readGraph(data).nodes);
  return new Map(nodes.map(({ id, label }) => [id, label]));
}
