import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { IconPlus, IconVariable } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import type { Column } from '@/shared/lists/data-table';
import { useSetSearch } from '@/shared/lists/list-search';
import { LIST_SIZE, SearchedList } from '@/shared/lists/searched-list';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
import { DeleteButton } from '../delete-button';
import { DeleteVariableDocument, VariableLibraryDocument, type VariableLibraryQuery } from '../library.generated';
import type { LibrarySearch } from '../prompts/prompts-screen';
import { ScenarioTabs } from '../scenario-tabs';
import { VariableDialog } from './variable-dialog';

type Variable = VariableLibraryQuery['variables']['items'][number];

/** The first values in one line. */
export function summaryOf(values: readonly { name: string; value: string }[]): string {
  const texts = values.slice(0, 6).map(({ name, value }) => value || name);
  return values.length > texts.length ? `${texts.join(', ')}, …` : texts.join(', ');
}

function columnsOf(canEdit: boolean): Column<Variable>[] {
  return [
    {
      id: 'key',
      header: 'Variable',
      cell: ({ id, key, isGlobal, keywordRunId, variableNames }) => (
        <>
          <Group gap="xs" wrap="nowrap">
            <Anchor fw={500} c="inherit" renderRoot={props => <EditLink {...props} id={id} />}>
              {key}
            </Anchor>
            {isGlobal && (
              <Badge variant="default" size="sm" tt="none" fw={500}>
                Global
              </Badge>
            )}
            {keywordRunId !== null && (
              <Badge variant="light" size="sm" tt="none" fw={500}>
                Keywords
              </Badge>
            )}
          </Group>
          <Text fz="xs" c="dimmed" lineClamp={1}>
            {summaryOf(variableNames)}
          </Text>
        </>
      ),
    },
    {
      id: 'values',
      header: 'Values',
      align: 'end',
      width: '6rem',
      cell: ({ isShortened, variableNames }) => (
        <span className="tabular">{isShortened ? '–' : variableNames.length.toLocaleString()}</span>
      ),
    },
    { id: 'changed', header: 'Changed', isWide: true, width: '9rem', cell: row => <RelativeTime at={row.updatedAt} /> },
    {
      id: 'delete',
      header: '',
      width: '3rem',
      align: 'end',
      cell: ({ id, key }) =>
        canEdit && (
          <DeleteButton
            name={key}
            what="variable"
            note="Prompts that refer to it will fail."
            mutation={DeleteVariableDocument}
            variables={{ id }}
            refetchQueries={['VariableLibrary']}
          />
        ),
    },
  ];
}

function EditLink({ id, ...props }: { id: number }) {
  return <Link {...props} to="." search={(previous: object) => ({ ...previous, edit: id }) as never} />;
}

export function VariablesScreen() {
  const projectId = useProjectId();
  const search = useSearch({ strict: false }) as LibrarySearch;
  const { page = 1, q, create, edit } = search;
  const setSearch = useSetSearch<LibrarySearch>();
  const { data, previousData, error, refetch } = useQuery(VariableLibraryDocument, {
    variables: { projectId, page, size: LIST_SIZE, key: q ?? null },
  });
  const shown = data ?? previousData;
  const canEdit = shown?.project?.canEdit === true;
  const createButton = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setSearch({ create: true, page })}>
      New variable
    </Button>
  );
  return (
    <>
      <PageHeader title="Variables" actions={createButton} />
      <ScenarioTabs />
      <SearchedList
        label="Variables"
        unit="variable"
        search={search}
        columns={columnsOf(canEdit)}
        list={shown?.variables}
        error={error}
        onRetry={() => void refetch()}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setSearch({ edit: id, page })}
        empty={
          <EmptyState icon={IconVariable} title="Name the values that change" action={createButton}>
            Prompts insert the values of a variable, and a loop sends a message once for each of them.
          </EmptyState>
        }
      />
      <VariableDialog
        open={create ? 'new' : (edit ?? null)}
        onClose={() => setSearch({ create: undefined, edit: undefined, page })}
        isReadOnly={!canEdit}
        refetchQueries={['VariableLibrary']}
      />
    </>
  );
}
