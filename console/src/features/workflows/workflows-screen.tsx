import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { IconPlus, IconSitemap } from '@/icons';
import type { Column } from '@/shared/data-table';
import { EmptyState } from '@/shared/empty-state';
import { type ListSearch, useSetSearch } from '@/shared/list-search';
import { PageHeader } from '@/shared/page-header';
import { LIST_SIZE, SearchedList } from '@/shared/searched-list';
import { StatusBadge } from '@/shared/status-badge';
import { RelativeTime } from '@/shared/time';
import { useProjectId } from '@/shared/use-project';
import { CreateWorkflowDialog } from './create-workflow-dialog';
import { WorkflowMenu } from './workflow-menu';
import { WorkflowsDocument, type WorkflowsQuery } from './workflows.generated';

export type WorkflowRow = WorkflowsQuery['workflows']['items'][number];

interface WorkflowSearch extends ListSearch {
  /** Whether the dialog of a new workflow is open. */
  create?: boolean;
}

const columns: Column<WorkflowRow>[] = [
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
    cell: ({ runs }) => (runs.items[0] ? <StatusBadge state={runs.items[0].state} /> : '–'),
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

function EditorLink({ id, ...props }: { id: number }) {
  const params = { projectId: String(useProjectId()), workflowId: String(id) };
  return <Link {...props} to="/projects/$projectId/workflows/$workflowId" params={params} />;
}

export function WorkflowsScreen() {
  const projectId = useProjectId();
  const search = useSearch({ strict: false }) as WorkflowSearch;
  const { page = 1, q, create } = search;
  const setSearch = useSetSearch<WorkflowSearch>();
  const navigate = useNavigate();
  const { data, previousData, error, refetch } = useQuery(WorkflowsDocument, {
    variables: { projectId, page, size: LIST_SIZE, title: q ?? null },
  });
  const list = (data ?? previousData)?.workflows;
  const createButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setSearch({ create: true })}>
      New workflow
    </Button>
  );
  const params = { projectId: String(projectId) };
  return (
    <>
      <PageHeader title="Workflows" actions={createButton} />
      <SearchedList
        label="Workflows"
        unit="workflow"
        search={search}
        columns={columns}
        list={list}
        error={error}
        onRetry={() => void refetch()}
        keyOf={({ id }) => id}
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
      <CreateWorkflowDialog isOpen={create === true} onClose={() => setSearch({ create: undefined })} />
    </>
  );
}
