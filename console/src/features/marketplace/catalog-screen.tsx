import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Button, Group, Select, Switch, Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { IconLayoutGrid } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import type { Column } from '@/shared/lists/data-table';
import { type ListSearch, listSearch, oneOf, useSetSearch } from '@/shared/lists/list-search';
import { LIST_SIZE, SearchedList } from '@/shared/lists/searched-list';
import { shownData } from '@/shared/lists/shown-data';
import { Money } from '@/shared/money';
import { BookmarkButton } from '@/shared/project/bookmark-button';
import { RelativeTime } from '@/shared/time';
import { CatalogDocument, type CatalogRowFragment } from './marketplace.generated';

const SORTS = [
  { value: 'CREATED_AT_DESC', label: 'Newest' },
  { value: 'LAST_RUN_AT_DESC', label: 'Last run' },
  { value: 'TOTAL_COST_DESC', label: 'Highest cost' },
] as const;

interface CatalogSearch extends ListSearch {
  sort?: (typeof SORTS)[number]['value'];
  own?: boolean;
}

const columns: Column<CatalogRowFragment>[] = [
  { id: 'bookmark', header: '', width: '3rem', cell: row => <BookmarkButton workflow={row} /> },
  {
    id: 'title',
    header: 'Workflow',
    cell: ({ id, title, shortDescription, projectId, isPublished, copiedFromId }) => (
      <>
        <Group gap="xs">
          <Anchor
            fw={500}
            c="inherit"
            renderRoot={props => (
              <Link
                {...props}
                to="/projects/$projectId/workflows/$workflowId"
                params={{ projectId: String(projectId), workflowId: String(id) }}
              />
            )}
          >
            {title}
          </Anchor>
          {isPublished && (
            <Badge size="sm" variant="light">
              Published
            </Badge>
          )}
          {copiedFromId !== null && (
            <Badge size="sm" variant="default">
              Copy
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
  { id: 'project', header: 'Project', isWide: true, cell: ({ project }) => project.name },
  { id: 'last', header: 'Last run', isWide: true, cell: ({ lastRunAt }) => <RelativeTime at={lastRunAt} /> },
  {
    id: 'runs',
    header: 'Runs',
    align: 'end',
    isWide: true,
    cell: ({ totalRunsCount }) => <span className="tabular">{totalRunsCount.toLocaleString('en')}</span>,
  },
  { id: 'cost', header: 'Cost', align: 'end', isWide: true, cell: ({ totalCost }) => <Money usd={totalCost.usd} /> },
  {
    id: 'offer',
    header: '',
    align: 'end',
    width: '8rem',
    cell: ({ id, projectId, title }) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Marketplace page of ${title}`}
        renderRoot={props => (
          <Link
            {...props}
            to="/projects/$projectId/workflows/$workflowId/marketplace"
            params={{ projectId: String(projectId), workflowId: String(id) }}
          />
        )}
      >
        Marketplace
      </Button>
    ),
  },
];

/** The workflows of all projects of the viewer, with bookmarks. */
export function CatalogScreen() {
  const address = useSearch({ strict: false }) as Record<string, unknown>;
  const search = listSearch(address);
  const { page = 1, q } = search;
  const sort = oneOf(
    address.sort,
    SORTS.map(({ value }) => value),
  );
  const isOwn = address.own === true;
  const setSearch = useSetSearch<CatalogSearch>();
  const { data, previousData, error, refetch } = useQuery(CatalogDocument, {
    variables: {
      page,
      size: LIST_SIZE,
      order: sort ?? 'CREATED_AT_DESC',
      filter: { ...(q ? { search: q } : {}), ...(isOwn ? { ownScripts: true } : {}) },
    },
  });
  const list = shownData({ data, previousData, error })?.catalogWorkflows;
  return (
    <>
      <PageHeader title="Catalog" description="The workflows of all your projects." />
      <SearchedList
        label="Catalog"
        unit="workflow"
        search={search}
        columns={columns}
        list={list}
        error={error}
        onRetry={() => void refetch()}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={IconLayoutGrid} title="No workflows yet">
            Build a workflow in a project, or copy one from the marketplace.
          </EmptyState>
        }
        filters={
          <>
            <Select
              aria-label="Sort by"
              w={150}
              data={[...SORTS]}
              value={sort ?? 'CREATED_AT_DESC'}
              allowDeselect={false}
              onChange={value => setSearch({ sort: (value as CatalogSearch['sort'] | null) ?? undefined })}
            />
            <Switch
              label="Only mine"
              checked={isOwn}
              onChange={event => setSearch({ own: event.currentTarget.checked ? true : undefined })}
            />
          </>
        }
      />
    </>
  );
}
