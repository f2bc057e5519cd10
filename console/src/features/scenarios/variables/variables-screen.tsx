import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Group, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { IconVariable } from '@/icons';
import type { Column } from '@/shared/lists/data-table';
import { LIST_SIZE } from '@/shared/lists/searched-list';
import { shownData } from '@/shared/lists/shown-data';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
import { DeleteVariableDocument, VariableLibraryDocument, type VariableLibraryQuery } from '../library.generated';
import { deleteColumn, EditLink, LibraryScreen, type LibrarySearch } from '../library-screen';
import { VariableDialog } from './variable-dialog';

type Variable = VariableLibraryQuery['variables']['items'][number];

const SUMMARY_VALUES = 6;

/** The first values in one line. */
export function summaryOf(values: readonly { name: string; value: string }[]): string {
  const texts = values.slice(0, SUMMARY_VALUES).map(({ name, value }) => value || name);
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
    deleteColumn(canEdit, {
      noun: 'variable',
      note: 'Prompts that refer to it will fail.',
      mutation: DeleteVariableDocument,
      query: 'VariableLibrary',
    }),
  ];
}

/** The variables of the scenarios of the project. */
export function VariablesScreen() {
  const projectId = useProjectId();
  const { page = 1, q } = useSearch({ strict: false }) as LibrarySearch;
  const { data, previousData, error, refetch } = useQuery(VariableLibraryDocument, {
    variables: { projectId, page, size: LIST_SIZE, key: q ?? null },
  });
  const shown = shownData({ data, previousData, error });
  const canEdit = shown?.project?.canEdit === true;
  return (
    <LibraryScreen
      title="Variables"
      unit="variable"
      columns={columnsOf(canEdit)}
      list={shown?.variables}
      error={error}
      onRetry={() => void refetch()}
      canEdit={canEdit}
      empty={{
        icon: IconVariable,
        title: 'Name the values that change',
        children: 'Prompts insert the values of a variable, and a loop sends a message once for each of them.',
      }}
      dialog={(open, onClose) => (
        <VariableDialog open={open} onClose={onClose} isReadOnly={!canEdit} refetchQueries={['VariableLibrary']} />
      )}
    />
  );
}
