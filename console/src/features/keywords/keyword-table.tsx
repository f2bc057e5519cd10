import { useQuery } from '@apollo/client/react';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { IconSearch, IconTags } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { EmptyState } from '@/shared/layout/empty-state';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { useSearchText, useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import type { KeywordRunView } from './keyword-run-screen';
import { KeywordSwitch } from './keyword-switch';
import { EnableAllKeywordsDocument, RunKeywordsDocument, type RunKeywordsQuery } from './keywords.generated';
import type { KeywordRunSearch } from './routes';

type Keyword = RunKeywordsQuery['keywords']['items'][number];

const SIZE = 50;

/** The keywords of a run with a search. Editors enable and disable them. */
export function KeywordTable({ run: { id, clusters, project } }: { run: KeywordRunView }) {
  const { page = 1, q } = useSearch({ strict: false }) as KeywordRunSearch;
  const setSearch = useSetSearch<KeywordRunSearch>();
  const text = useSearchText(q);
  const { data, previousData, error, refetch } = useQuery(RunKeywordsDocument, {
    variables: { keywordRunId: id, page, size: SIZE, name: q ?? null },
  });
  const list = shownData({ data, previousData, error })?.keywords;
  const names = new Map(clusters.map(cluster => [cluster.id, cluster.name]));
  const columns: Column<Keyword>[] = [
    { id: 'name', header: 'Keyword', cell: ({ name }) => <Text fz="sm">{name}</Text> },
    {
      id: 'cluster',
      header: 'Cluster',
      isWide: true,
      cell: ({ keywordClusterId }) => (
        <Text fz="sm" c="dimmed">
          {keywordClusterId === null ? '–' : (names.get(keywordClusterId) ?? '–')}
        </Text>
      ),
    },
    {
      id: 'volume',
      header: 'Volume',
      align: 'end',
      isWide: true,
      width: '6rem',
      cell: ({ volume }) => <span className="tabular">{volume?.toLocaleString() ?? '–'}</span>,
    },
    {
      id: 'enabled',
      header: 'Enabled',
      align: 'end',
      width: '5rem',
      cell: keyword => <KeywordSwitch keyword={keyword} isDisabled={!project.canEdit} />,
    },
  ];
  return (
    <>
      <Group justify="space-between" mb="sm" gap="xs">
        <TextInput
          value={text.value}
          onChange={event => text.onChange(event.currentTarget.value)}
          aria-label="Search keywords"
          placeholder="Search"
          leftSection={<IconSearch size={16} />}
          style={{ flex: '1 1 12rem' }}
          maw={320}
        />
        {project.canEdit && <AllKeywords id={id} />}
      </Group>
      <DataTable
        query={{ error, refetch }}
        label="Keywords"
        columns={columns}
        rows={list?.items}
        keyOf={keyword => keyword.id}
        empty={
          <EmptyState icon={IconTags} title={q === undefined ? 'No keywords' : `No keyword contains “${q}”`}>
            Try another word.
          </EmptyState>
        }
        pages={{ page, size: SIZE, total: list?.total ?? 0, onPage: next => setSearch({ page: next }) }}
      />
    </>
  );
}

function AllKeywords({ id }: { id: number }) {
  const { run, isBusy } = useAction(EnableAllKeywordsDocument, {
    failure: 'Not changed',
    success: ({ isEnabled }) => (isEnabled ? 'All keywords are enabled.' : 'All keywords are disabled.'),
    refetchQueries: ['RunKeywords', 'KeywordRunDetail'],
  });
  const set = (isEnabled: boolean) => run({ id, isEnabled });
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => void set(true)}>
        Enable all
      </Button>
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => void set(false)}>
        Disable all
      </Button>
    </Group>
  );
}
