import { useQuery } from '@apollo/client/react';
import { Anchor, Box, Button, Group, Pagination, Text, TextInput } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconPlus, IconRoute, IconSearch } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { LinesSkeleton, QueryView } from '@/shared/layout/query-view';
import { countOf } from '@/shared/lists/count';
import { usePastEnd } from '@/shared/lists/data-table';
import { type ListSearch, useSearchText, useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { SortableList } from '@/shared/lists/sortable-list';
import { useProjectId } from '@/shared/project/use-project';
import { StatusBadge } from '@/shared/status-badge';
import { RelativeTime } from '@/shared/time';
import { CreateScenarioDialog } from './create-scenario-dialog';
import { ScenarioMenu } from './scenario-menu';
import { ScenarioTabs } from './scenario-tabs';
import { ReorderScenarioDocument, ScenariosDocument, type ScenariosQuery } from './scenarios.generated';
import classes from './scenarios.module.css';

type Scenario = ScenariosQuery['scenarios']['items'][number];

interface ScenariosSearch extends ListSearch {
  create?: boolean;
}

const SIZE = 50;

/** The scenarios of the project in their order. */
export function ScenariosScreen() {
  const projectId = useProjectId();
  const { page = 1, q, create } = useSearch({ strict: false }) as ScenariosSearch;
  const setSearch = useSetSearch<ScenariosSearch>();
  const text = useSearchText(q);
  const query = useQuery(ScenariosDocument, { variables: { projectId, page, size: SIZE, name: q ?? null } });
  const data = shownData(query);
  const total = data?.scenarios.total ?? 0;
  const goTo = (next: number) => setSearch({ page: next });
  const isPastEnd = usePastEnd({ page, size: SIZE, total, onPage: goTo }, data?.scenarios.items.length);
  const canEdit = data?.project?.canEdit === true;
  const createButton = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setSearch({ create: true })}>
      New scenario
    </Button>
  );
  return (
    <>
      <PageHeader title="Scenarios" actions={createButton} />
      <ScenarioTabs />
      <TextInput
        value={text.value}
        onChange={event => text.onChange(event.currentTarget.value)}
        aria-label="Search scenarios"
        placeholder="Search"
        leftSection={<IconSearch size={16} />}
        maw={320}
        mb="md"
      />
      <QueryView query={{ ...query, data }}>
        {({ scenarios }) =>
          isPastEnd ? (
            <LinesSkeleton />
          ) : scenarios.items.length === 0 ? (
            <NoScenarios q={q} action={createButton} />
          ) : (
            <ScenarioRows items={scenarios.items} canEdit={canEdit && q === undefined} />
          )
        }
      </QueryView>
      {total > SIZE && (
        <Pagination
          mt="sm"
          size="sm"
          total={Math.ceil(total / SIZE)}
          value={page}
          onChange={goTo}
          getControlProps={control => ({ 'aria-label': `${control} page` })}
        />
      )}
      <CreateScenarioDialog isOpen={canEdit && create === true} onClose={() => setSearch({ create: undefined })} />
    </>
  );
}

function NoScenarios({ q, action }: { q: string | undefined; action: ReactNode }) {
  return q === undefined ? (
    <EmptyState icon={IconRoute} title="Write your first scenario" action={action}>
      A scenario sends messages to models one after the other, with variables, loops and conditions.
    </EmptyState>
  ) : (
    <EmptyState icon={IconSearch} title={`No scenario contains “${q}”`}>
      Try another word.
    </EmptyState>
  );
}

/** The order is that of the project; a search shows only a part of it and is not ordered by hand. */
function ScenarioRows({ items, canEdit }: { items: readonly Scenario[]; canEdit: boolean }) {
  const reorder = useAction(ReorderScenarioDocument, { failure: 'Not moved', refetchQueries: ['Scenarios'] });
  const move = async (item: Scenario, target: Scenario) =>
    (await reorder.run({ id: item.id, sortId: target.sortId })) !== null;
  return (
    <Box className="console-card">
      <SortableList
        label="Scenarios"
        className="console-rows"
        items={items}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        onMove={move}
        isDisabled={!canEdit}
      >
        {(scenario, handle) => <ScenarioRow scenario={scenario} handle={handle} />}
      </SortableList>
    </Box>
  );
}

function ScenarioRow({ scenario, handle }: { scenario: Scenario; handle: ReactNode }) {
  const { id, name, shortDescription, messageIds, runs, updatedAt } = scenario;
  const params = { projectId: String(useProjectId()), scenarioId: String(id) };
  const [last] = runs.items;
  const count = messageIds.length;
  return (
    <Group className={classes.row} wrap="nowrap" gap="sm">
      {handle}
      <Box style={{ flex: 1, minWidth: 0 }}>
        <Anchor
          fw={500}
          c="inherit"
          renderRoot={props => <Link {...props} to="/projects/$projectId/scenarios/$scenarioId" params={params} />}
        >
          {name}
        </Anchor>
        <Text fz="xs" c="dimmed" lineClamp={1}>
          {[countOf(count, 'message'), shortDescription].filter(Boolean).join(' · ')}
        </Text>
      </Box>
      <Box className={classes.state}>{last ? <StatusBadge state={last.status} /> : <Dimmed>Never run</Dimmed>}</Box>
      <Box className={classes.wide}>
        <Dimmed>{countOf(runs.total, 'run')}</Dimmed>
      </Box>
      <Box className={classes.wide}>
        <Dimmed>
          <RelativeTime at={updatedAt} />
        </Dimmed>
      </Box>
      <ScenarioMenu scenario={scenario} />
    </Group>
  );
}

function Dimmed({ children }: { children: ReactNode }) {
  return (
    <Text component="span" fz="sm" c="dimmed" className="tabular">
      {children}
    </Text>
  );
}
