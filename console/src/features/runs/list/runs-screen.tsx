import './runs.css';
import { useQuery } from '@apollo/client/react';
import { Badge, Button, Stack, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { IconActivity, IconFilterOff, IconSend } from '@/icons';
import { SendEventDialog } from '@/shared/event/send-event-dialog';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { LinesSkeleton } from '@/shared/layout/query-view';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { useSetSearch } from '@/shared/lists/list-search';
import { Money } from '@/shared/money';
import { useProjectId } from '@/shared/project/use-project';
import { StatusBadge } from '@/shared/status-badge';
import { Duration, RelativeTime } from '@/shared/time';
import { shortId } from '@/shared/uuid';
import { BulkActions } from './bulk-actions';
import { RunCards } from './run-cards';
import { RunExport } from './run-export';
import { isFiltered, NO_FILTERS, type RunsSearch, toVariables } from './run-filter';
import { RunFilters } from './run-filters';
import { RunTags } from './run-tags';
import { RunListChoicesDocument, type RunRowFragment } from './runs.generated';
import { type RunList, useRunList } from './use-run-list';

const columns: Column<RunRowFragment>[] = [
  {
    id: 'workflow',
    header: 'Workflow',
    cell: run => (
      <div className="runs-title">
        <RunLink run={run} />
        <RunMarks run={run} />
        <RunTags tags={run.tags} />
      </div>
    ),
  },
  { id: 'state', header: 'State', width: '8rem', cell: ({ state }) => <StatusBadge state={state} /> },
  { id: 'started', header: 'Started', width: '9rem', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    id: 'duration',
    header: 'Duration',
    width: '7rem',
    align: 'end',
    cell: ({ duration }) => <Duration seconds={duration} />,
  },
  { id: 'cost', header: 'Cost', width: '7rem', align: 'end', cell: ({ cost }) => <Money usd={cost.usd} /> },
  {
    id: 'id',
    header: 'Run',
    width: '7rem',
    align: 'end',
    cell: ({ id }) => (
      <span className="runs-id" title={id}>
        {shortId(id)}
      </span>
    ),
  },
];

function RunLink({ run }: { run: RunRowFragment }) {
  const params = { projectId: String(useProjectId()), runId: run.id };
  return (
    <Link to="/projects/$projectId/runs/$runId" params={params}>
      {run.workflow?.title ?? 'Graph without a workflow'}
    </Link>
  );
}

function RunMarks({ run }: { run: RunRowFragment }) {
  const marks = [
    ...(run.isApiRun ? ['API'] : []),
    ...(run.useAsMarketplaceTemplate ? ['Template'] : []),
    ...(run.useInMarketplaceExample ? ['Example'] : []),
    ...(run.forkedFromId === null ? [] : ['Fork']),
    ...(run.parentRunId === null ? [] : ['Sub-run']),
  ];
  return marks.map(mark => (
    <Badge key={mark} size="sm" variant="light" color="gray">
      {mark}
    </Badge>
  ));
}

/** All runs of the project. */
export function RunsScreen() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as RunsSearch;
  const isPhone = useMediaQuery('(max-width: 48em)') ?? false;
  const filterKey = JSON.stringify(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time is that of the last change of the filter.
  const filter = useMemo(() => toVariables(projectId, search, Date.now()), [projectId, filterKey]);
  const list = useRunList(projectId, filter);
  const { rows, total, count, error, refresh } = list;
  const [selected, setSelected] = useState<ReadonlyMap<string | number, RunRowFragment>>(new Map());
  const choices = useQuery(RunListChoicesDocument, { variables: { projectId }, fetchPolicy: 'cache-first' });
  // Loaded rows replace those of the selection, which are from the time when they were selected.
  const current = new Map([...selected.values(), ...(rows ?? [])].map(run => [run.id, run]));
  const chosen = [...selected.values()].flatMap(({ id }) => current.get(id) ?? []);
  const select = (ids: Set<string | number>) =>
    setSelected(new Map([...current].filter(([id]) => ids.has(id)).sort(byNewest)));
  const params = { projectId: String(projectId) };
  const empty = isFiltered(search) ? <NothingFound /> : <NothingYet projectId={projectId} />;
  return (
    <>
      <PageHeader
        title="Runs"
        badges={
          total !== undefined && (
            <Text c="dimmed" fz="sm" className="tabular" role="status">
              {total.toLocaleString()}
            </Text>
          )
        }
        actions={
          <>
            {choices.data?.project?.canEdit && <SendEvent />}
            {count > 0 && <RunExport filter={filter} />}
          </>
        }
      />
      <RunFilters search={search} knownTags={tagsOf(rows)} />
      {chosen.length > 0 && (
        <BulkActions
          projectId={projectId}
          runs={chosen}
          canEdit={choices.data?.project?.canEdit ?? false}
          onDone={() => {
            setSelected(new Map());
            refresh();
          }}
        />
      )}
      {error ? (
        <ProblemPanel error={error} onRetry={refresh} />
      ) : isPhone ? (
        <PhoneRunList projectId={projectId} list={list} empty={empty} />
      ) : (
        <DataTable
          label="Runs"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          empty={empty}
          onOpen={({ id }) =>
            void navigate({ to: '/projects/$projectId/runs/$runId', params: { ...params, runId: id } })
          }
          selection={{ selected: new Set(selected.keys()), onChange: select }}
          scroll={{ height: tableHeight(list.count), count: list.count, rowAt: list.rowAt, onRange: list.show }}
        />
      )}
    </>
  );
}

/** The tags of the loaded runs. */
function tagsOf(rows: readonly RunRowFragment[] | undefined): string[] {
  return [...new Set(rows?.flatMap(({ tags }) => tags))].sort();
}

const byNewest = ([, one]: [unknown, RunRowFragment], [, other]: [unknown, RunRowFragment]) =>
  other.createdAt.localeCompare(one.createdAt);

/** Heights in rem. The rest of the screen is approximately the header, the title and one line of filters. */
const ROW_HEIGHT = 2.9;
const HEADER_HEIGHT = 2.4;
const REST_OF_SCREEN = 13.5;

/** A list fills the screen. A short one has no empty space below it. */
function tableHeight(rows: number): string {
  return `min(calc(100dvh - ${REST_OF_SCREEN}rem), ${rows * ROW_HEIGHT + HEADER_HEIGHT}rem)`;
}

interface PhoneRunListProps {
  projectId: number;
  list: RunList;
  empty: React.ReactNode;
}

function PhoneRunList({ projectId, list, empty }: PhoneRunListProps) {
  if (list.rows === undefined) return <LinesSkeleton lines={6} />;
  if (list.count === 0) return empty;
  return <RunCards projectId={projectId} list={list} />;
}

function SendEvent() {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" leftSection={<IconSend size={16} />} onClick={dialog.open}>
        Send event
      </Button>
      {isOpen && <SendEventDialog onClose={dialog.close} />}
    </>
  );
}

function NothingFound() {
  const setSearch = useSetSearch<RunsSearch & { page?: number }>();
  return (
    <EmptyState
      icon={IconFilterOff}
      title="No run matches the filters"
      action={
        <Button variant="default" onClick={() => setSearch(NO_FILTERS)}>
          Clear filters
        </Button>
      }
    >
      Choose another workflow, state or period.
    </EmptyState>
  );
}

function NothingYet({ projectId }: { projectId: number }) {
  return (
    <Stack>
      <EmptyState
        icon={IconActivity}
        title="Nothing has run yet"
        action={
          <Button
            renderRoot={props => (
              <Link {...props} to="/projects/$projectId/workflows" params={{ projectId: String(projectId) }} />
            )}
          >
            Choose a workflow
          </Button>
        }
      >
        Every run of this project appears here while it works: its state, duration and cost, and each of its steps.
      </EmptyState>
    </Stack>
  );
}
