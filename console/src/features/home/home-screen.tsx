import { useQuery, useSubscription } from '@apollo/client/react';
import { Anchor, Button, Grid, Group, Paper, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { IconActivity, IconPlus, IconSitemap } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { StatCard } from '@/shared/layout/stat-card';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { Money } from '@/shared/money';
import { useProjectId } from '@/shared/project/use-project';
import { StatusBadge } from '@/shared/status-badge';
import { Duration, RelativeTime } from '@/shared/time';
import { HomeActivityDocument, ProjectHomeDocument, type ProjectHomeQuery } from './home.generated';
import { HomeCharts } from './home-charts';
import { PendingApprovals } from './pending-approvals';

type Project = NonNullable<ProjectHomeQuery['project']>;
type Run = Project['recent']['items'][number];

/** Events within this time cause one request. */
const DEBOUNCE_MS = 400;

const columns: Column<Run>[] = [
  {
    id: 'workflow',
    header: 'Workflow',
    cell: ({ id, workflow }) => (
      <Anchor c="inherit" fw={500} renderRoot={props => <RunLink {...props} id={id} />}>
        {workflow?.title ?? 'Graph without a workflow'}
      </Anchor>
    ),
  },
  { id: 'state', header: 'State', cell: ({ state }) => <StatusBadge state={state} /> },
  { id: 'started', header: 'Started', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    id: 'duration',
    header: 'Duration',
    align: 'end',
    isWide: true,
    cell: ({ duration }) => <Duration seconds={duration} />,
  },
  { id: 'cost', header: 'Cost', align: 'end', isWide: true, cell: ({ cost }) => <Money usd={cost.usd} /> },
];

function RunLink({ id, ...props }: { id: string }) {
  const projectId = String(useProjectId());
  return <Link {...props} to="/projects/$projectId/runs/$runId" params={{ projectId, runId: id }} />;
}

/** The current activity of the project. An empty project shows the first steps instead. */
export function HomeScreen() {
  const projectId = useProjectId();
  const query = useQuery(ProjectHomeDocument, { variables: { projectId } });
  const refresh = useDebouncedCallback(() => void query.refetch().catch(() => undefined), DEBOUNCE_MS);
  useSubscription(HomeActivityDocument, {
    variables: { projectId },
    onData: refresh,
    ignoreResults: true,
  });
  return (
    <QueryView query={query} skeleton={<HomeSkeleton />}>
      {({ project }) => (
        <>
          <PageHeader title={project.name} actions={project.canEdit && <NewWorkflow />} />
          <Counts project={project} />
          {project.recent.total > 0 && <HomeCharts />}
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <RecentRuns project={project} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }}>
              <PendingApprovals />
            </Grid.Col>
          </Grid>
        </>
      )}
    </QueryView>
  );
}

function NewWorkflow() {
  const projectId = String(useProjectId());
  return (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={props => (
        <Link {...props} to="/projects/$projectId/workflows" params={{ projectId }} search={{ create: true }} />
      )}
    >
      New workflow
    </Button>
  );
}

function Counts({ project }: { project: Project }) {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="lg">
      <StatCard label="Active runs">{project.active.total.toLocaleString()}</StatCard>
      <StatCard label="Runs in total">{project.recent.total.toLocaleString()}</StatCard>
      <StatCard label="Workflows">{project.workflows.total.toLocaleString()}</StatCard>
      <StatCard
        label="Spent"
        note={
          project.budget && (
            <>
              <Money usd={project.budget.remaining.usd} /> of the budget left
            </>
          )
        }
      >
        <Money usd={project.totalSpent.usd} />
      </StatCard>
    </SimpleGrid>
  );
}

function RecentRuns({ project }: { project: Project }) {
  const navigate = useNavigate();
  const projectId = String(project.id);
  const hasWorkflows = project.workflows.total > 0;
  return (
    <section aria-label="Recent runs">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Recent runs</Title>
        {project.recent.total > 0 && (
          <Anchor
            fz="sm"
            renderRoot={props => <Link {...props} to="/projects/$projectId/runs" params={{ projectId }} />}
          >
            All runs
          </Anchor>
        )}
      </Group>
      <DataTable
        label="Recent runs"
        columns={columns}
        rows={project.recent.items}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/projects/$projectId/runs/$runId', params: { projectId, runId: id } })}
        empty={
          <Paper>
            {hasWorkflows ? (
              <EmptyState
                icon={IconActivity}
                title="Nothing has run yet"
                action={
                  <Button
                    renderRoot={props => <Link {...props} to="/projects/$projectId/workflows" params={{ projectId }} />}
                  >
                    Choose a workflow
                  </Button>
                }
              >
                Start a workflow and watch every step here while it runs.
              </EmptyState>
            ) : (
              <EmptyState
                icon={IconSitemap}
                title="Build your first workflow"
                action={project.canEdit && <NewWorkflow />}
              >
                A workflow connects models, tools and data. Start from a template or from an empty canvas.
              </EmptyState>
            )}
          </Paper>
        }
      />
    </section>
  );
}

function HomeSkeleton() {
  const cards = ['active', 'runs', 'workflows', 'spent'];
  return (
    <Stack gap="lg" aria-busy="true" aria-label="Loading">
      <Skeleton height={28} width={220} />
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        {cards.map(key => (
          <Skeleton key={key} height={86} radius="md" />
        ))}
      </SimpleGrid>
      <Skeleton height={300} radius="md" />
    </Stack>
  );
}
