import { useQuery } from '@apollo/client/react';
import { Button, Code, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { IconDatabase, IconPlus } from '@/icons';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import { useAction } from '@/shared/forms/use-action';
import { EmptyState } from '@/shared/layout/empty-state';
import { Section } from '@/shared/layout/section';
import type { Column } from '@/shared/lists/data-table';
import { listSearch } from '@/shared/lists/list-search';
import { LIST_SIZE, SearchedList } from '@/shared/lists/searched-list';
import { shownData } from '@/shared/lists/shown-data';
import { useProjectId } from '@/shared/project/use-project';
import { useProjectRole } from '@/shared/project/use-role';
import { RelativeTime } from '@/shared/time';
import { KeyValueDialog } from './key-value-dialog';
import {
  DeleteKeyValueEntryDocument,
  KeyValueEntriesDocument,
  type KeyValueEntriesQuery,
} from './key-values.generated';

export type KeyValueRow = KeyValueEntriesQuery['keyValueEntries']['items'][number];

/** Longer values are cut in the list. */
const SHOWN_LENGTH = 200;

const columnsOf = (isEditor: boolean): Column<KeyValueRow>[] => [
  { id: 'key', header: 'Key', cell: ({ key }) => <Code style={{ overflowWrap: 'anywhere' }}>{key}</Code> },
  {
    id: 'value',
    header: 'Value',
    cell: ({ isShortened, value }) => (
      <Text fz="sm" ff="monospace" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {isShortened ? '–' : JSON.stringify(value).slice(0, SHOWN_LENGTH)}
      </Text>
    ),
  },
  {
    id: 'expires',
    header: 'Removed',
    isWide: true,
    cell: ({ expiresAt }) => (expiresAt === null ? <Text fz="sm">Never</Text> : <RelativeTime at={expiresAt} />),
  },
  { id: 'changed', header: 'Changed', isWide: true, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
  ...(isEditor
    ? [
        {
          id: 'actions',
          header: '',
          align: 'end',
          cell: row => <EntryActions row={row} />,
        } satisfies Column<KeyValueRow>,
      ]
    : []),
];

/** Values that key-value nodes keep between runs. */
export function KeyValuesSection() {
  const projectId = useProjectId();
  const search = listSearch(useSearch({ strict: false }) as Record<string, unknown>);
  const { isEditor } = useProjectRole();
  const [isOpen, dialog] = useDisclosure(false);
  const variables = { projectId, prefix: search.q ?? null, page: search.page ?? 1, size: LIST_SIZE };
  const { data, previousData, error, refetch } = useQuery(KeyValueEntriesDocument, { variables });
  const shown = shownData({ data, previousData, error })?.keyValueEntries;
  const create = isEditor ? (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      New entry
    </Button>
  ) : undefined;
  return (
    <Section
      isPlain
      title="Key-value store"
      description="Key-value nodes keep these values between runs. The search finds keys by how they begin."
      actions={shown && (shown.total > 0 || search.q !== undefined) ? create : undefined}
    >
      <SearchedList
        label="Entries"
        unit="key"
        isPrefix
        search={search}
        columns={columnsOf(isEditor)}
        list={shown}
        error={error}
        onRetry={() => void refetch()}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={IconDatabase} title="No values" action={create}>
            A key-value node counts, remembers what a run has done, or keeps where the next run continues.
          </EmptyState>
        }
      />
      {isOpen && <KeyValueDialog entry={null} onClose={dialog.close} />}
    </Section>
  );
}

function EntryActions({ row }: { row: KeyValueRow }) {
  const { id, key, isShortened } = row;
  const [isEditing, editor] = useDisclosure(false);
  const [isDeleting, dialog] = useDisclosure(false);
  const remove = useAction(DeleteKeyValueEntryDocument, {
    failure: 'Not deleted',
    refetchQueries: ['KeyValueEntries'],
  });
  return (
    <Group gap="xs" justify="flex-end" wrap="wrap">
      {!isShortened && (
        <Button size="compact-sm" variant="default" aria-label={`Edit ${key}`} onClick={editor.open}>
          Edit
        </Button>
      )}
      <Button size="compact-sm" variant="default" aria-label={`Delete ${key}`} onClick={dialog.open}>
        Delete
      </Button>
      {isEditing && <KeyValueDialog entry={row} onClose={editor.close} />}
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={dialog.close}
        title={`Delete “${key}”?`}
        confirmLabel="Delete entry"
        onConfirm={() => remove.runOrThrow({ id })}
      >
        The next run that reads the key finds no value.
      </ConfirmDialog>
    </Group>
  );
}
