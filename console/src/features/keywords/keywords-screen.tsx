import { useQuery } from '@apollo/client/react';
import { Anchor, Button, SegmentedControl, Text } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { IconPlus, IconTags } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { Money } from '@/shared/money';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
import { CreateKeywordRunDialog } from './create-keyword-run-dialog';
import { KeywordRunStatus, titleOf } from './keyword-run-status';
import { KeywordTabs } from './keyword-tabs';
import { KeywordRunsDocument, type KeywordRunsQuery } from './keywords.generated';
import type { KeywordRunsSearch } from './routes';

type Run = KeywordRunsQuery['keywordRuns']['items'][number];

const SIZE = 20;
const STATES = [
  { value: 'all', label: 'All' },
  { value: 'running', label: 'Running' },
  { value: 'finished', label: 'Finished' },
  { value: 'failed', label: 'Failed' },
];
const STATUSES: Record<NonNullable<KeywordRunsSearch['state']>, Run['status'][]> = {
  running: ['QUEUED', 'RUNNING'],
  finished: ['SUCCEEDED'],
  failed: ['FAILED'],
};

function RunLink({ id, ...props }: { id: number }) {
  const params = { projectId: String(useProjectId()), keywordRunId: String(id) };
  return <Link {...props} to="/projects/$projectId/keywords/$keywordRunId" params={params} />;
}

const columns: Column<Run>[] = [
  {
    id: 'subject',
    header: 'Subject',
    cell: run => (
      <>
        <Anchor
          fw={500}
          c="inherit"
          style={{ overflowWrap: 'anywhere' }}
          renderRoot={props => <RunLink {...props} id={run.id} />}
        >
          {titleOf(run)}
        </Anchor>
        {run.error !== null && (
          <Text fz="xs" c="dimmed" lineClamp={2}>
            {run.error}
          </Text>
        )}
      </>
    ),
  },
  { id: 'state', header: 'State', width: '8rem', cell: run => <KeywordRunStatus run={run} /> },
  {
    id: 'keywords',
    header: 'Keywords',
    width: '6rem',
    align: 'end',
    cell: ({ keywordsCount }) => <span className="tabular">{keywordsCount.toLocaleString()}</span>,
  },
  {
    id: 'cost',
    header: 'Cost',
    width: '6rem',
    align: 'end',
    isWide: true,
    cell: ({ cost }) => <Money usd={cost.usd} />,
  },
  { id: 'created', header: 'Started', width: '9rem', isWide: true, cell: row => <RelativeTime at={row.createdAt} /> },
];

/** The keyword runs of the project. */
export function KeywordsScreen() {
  const projectId = useProjectId();
  const { page = 1, state, create } = useSearch({ strict: false }) as KeywordRunsSearch;
  const setSearch = useSetSearch<KeywordRunsSearch>();
  const navigate = useNavigate();
  const { data, previousData, error, refetch } = useQuery(KeywordRunsDocument, {
    variables: { projectId, page, size: SIZE, statuses: state === undefined ? null : STATUSES[state] },
  });
  const shown = shownData({ data, previousData, error });
  const canEdit = shown?.project?.canEdit === true;
  const createButton = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setSearch({ create: true })}>
      Find keywords
    </Button>
  );
  const empty =
    state === undefined ? (
      <EmptyState icon={IconTags} title="Find the words that matter" action={createButton}>
        Keywords come from a web page, a topic or your documents. Group them, then let scenarios go through them.
      </EmptyState>
    ) : (
      <EmptyState icon={IconTags} title={`No run is ${state}`}>
        Show all runs to see the others.
      </EmptyState>
    );
  return (
    <>
      <PageHeader title="Keywords" actions={createButton} />
      <KeywordTabs />
      <SegmentedControl
        size="xs"
        mb="md"
        aria-label="State"
        data={STATES}
        value={state ?? 'all'}
        onChange={next => setSearch({ state: next === 'all' ? undefined : (next as KeywordRunsSearch['state']) })}
      />
      <DataTable
        query={{ error, refetch }}
        label="Keyword runs"
        columns={columns}
        rows={shown?.keywordRuns.items}
        keyOf={({ id }) => id}
        empty={empty}
        onOpen={({ id }) =>
          void navigate({
            to: '/projects/$projectId/keywords/$keywordRunId',
            params: { projectId: String(projectId), keywordRunId: String(id) },
          })
        }
        pages={{ page, size: SIZE, total: shown?.keywordRuns.total ?? 0, onPage: next => setSearch({ page: next }) }}
      />
      <CreateKeywordRunDialog isOpen={canEdit && create === true} onClose={() => setSearch({ create: undefined })} />
    </>
  );
}
