import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { IconGripVertical, IconPlus, IconSitemap } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import type { Column } from '@/shared/lists/data-table';
import { useSetSearch } from '@/shared/lists/list-search';
import { LIST_SIZE, SearchedList } from '@/shared/lists/searched-list';
import { shownData } from '@/shared/lists/shown-data';
import { Money } from '@/shared/money';
import { BookmarkButton } from '@/shared/project/bookmark-button';
import { useProjectId } from '@/shared/project/use-project';
import { StatusBadge } from '@/shared/status-badge';
import { Duration, RelativeTime } from '@/shared/time';
import { CreateWorkflowDialog } from './create-workflow-dialog';
import { averagesOf } from './run-averages';
import { WorkflowFilters } from './workflow-filters';
import { WorkflowMenu } from './workflow-menu';
import { WorkflowOrder } from './workflow-order';
import type { WorkflowSearch } from './workflow-search';
import { WorkflowsDocument, type WorkflowsQuery } from './workflows.generated';

type WorkflowRow = WorkflowsQuery['workflows']['items'][number];

const columns: Column<WorkflowRow>[] = [
  {
    id: 'bookmark',
    header: '',
    width: '3rem',
    cell: row => <BookmarkButton workflow={row} refetchQueries={['Workflows']} />,
  },
  {
    id: 'title',
    header: 'Workflow',
    cell: ({ id, title, shortDescription, isPublished, pausedAt }) => (
      <>
        <Group gap="xs" wrap="nowrap">
          <Anchor fw={500} c="inherit" renderRoot={props => <EditorLink {...props} id={id} />}>
            {title}
          </Anchor>
          {isPublished && (
            <Badge size="sm" variant="light">
              Published
            </Badge>
          )}
          {pausedAt !== null && (
            <Badge size="sm" variant="light" color="yellow" title="Its triggers start no runs.">
              Paused
            </Badge>
          )}
        </Group>
        {shortDescription !== '' && (
          <Text fz="xs" c="dimmed" lineClamp={1}>
            {shortDescription}
          </Text>
        )}
      </>
    ),
  },
  { id: 'category', header: 'Category', isWide: true, cell: ({ category }) => category?.name ?? '–' },
  {
    id: 'last',
    header: 'Last run',
    cell: ({ runs }) => <LastRun runs={runs.items} />,
  },
  {
    id: 'duration',
    header: <span title="Average of the last 20 runs">Duration</span>,
    align: 'end',
    isWide: true,
    cell: ({ runs }) => <Duration seconds={averagesOf(runs.items).seconds} />,
  },
  {
    id: 'cost',
    header: <span title="Average of the last 20 runs">Cost</span>,
    align: 'end',
    isWide: true,
    cell: ({ runs }) => <Money usd={averagesOf(runs.items).usd} />,
  },
  {
    id: 'runs',
    header: 'Runs',
    align: 'end',
    isWide: true,
    cell: ({ runs }) => <span className="tabular">{runs.total.toLocaleString()}</span>,
  },
  { id: 'changed', header: 'Changed', isWide: true, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
  { id: 'menu', header: '', width: '3rem', align: 'end', cell: row => <WorkflowMenu workflow={row} /> },
];

function LastRun({ runs: [last] }: { runs: WorkflowRow['runs']['items'] }) {
  if (!last) return '–';
  return (
    <Group gap="xs" wrap="nowrap">
      <StatusBadge state={last.state} />
      <Text component="span" fz="xs" c="dimmed" visibleFrom="lg">
        <RelativeTime at={last.createdAt} />
      </Text>
    </Group>
  );
}

function EditorLink({ id, ...props }: { id: number }) {
  const params = { projectId: String(useProjectId()), workflowId: String(id) };
  return <Link {...props} to="/projects/$projectId/workflows/$workflowId" params={params} />;
}

/** The workflows of the project. */
export function WorkflowsScreen() {
  const projectId = useProjectId();
  const search = useSearch({ strict: false }) as WorkflowSearch;
  const { page = 1, q, create, category, language, sort, arrange } = search;
  const setSearch = useSetSearch<WorkflowSearch>();
  const navigate = useNavigate();
  const { data, previousData, error, refetch } = useQuery(WorkflowsDocument, {
    variables: {
      projectId,
      page,
      size: LIST_SIZE,
      order: sort ?? 'POSITION',
      title: q ?? null,
      categoryIds: category === undefined ? null : [category],
      languages: language === undefined ? null : [language],
    },
  });
  const shown = shownData({ data, previousData, error });
  const canEdit = shown?.project?.canEdit === true;
  const createButton = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setSearch({ create: true })}>
      New workflow
    </Button>
  );
  const params = { projectId: String(projectId) };
  return (
    <>
      <PageHeader
        title="Workflows"
        actions={
          <>
            {!arrange && canEdit && (shown?.workflows.total ?? 0) > 1 && (
              <Button
                variant="default"
                leftSection={<IconGripVertical size={16} />}
                onClick={() => setSearch({ arrange: true })}
              >
                Change order
              </Button>
            )}
            {createButton}
          </>
        }
      />
      {arrange && canEdit ? (
        <WorkflowOrder onDone={() => setSearch({ arrange: undefined, sort: undefined })} />
      ) : (
        <SearchedList
          label="Workflows"
          unit="workflow"
          search={search}
          columns={columns}
          list={shown?.workflows}
          error={error}
          onRetry={() => void refetch()}
          keyOf={({ id }) => id}
          isFiltered={category !== undefined || language !== undefined}
          filters={<WorkflowFilters search={search} />}
          onOpen={({ id }) =>
            void navigate({
              to: '/projects/$projectId/workflows/$workflowId',
              params: { ...params, workflowId: String(id) },
            })
          }
          empty={
            <EmptyState icon={IconSitemap} title="Build your first workflow" action={createButton}>
              A workflow connects models, tools and data. It runs on a click, on a schedule or by the API.
            </EmptyState>
          }
        />
      )}
      <CreateWorkflowDialog isOpen={canEdit && create === true} onClose={() => setSearch({ create: undefined })} />
    </>
  );
}
