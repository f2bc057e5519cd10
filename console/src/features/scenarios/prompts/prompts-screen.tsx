import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Button, Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { IconMessage2, IconPlus } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import type { Column } from '@/shared/lists/data-table';
import { type ListSearch, useSetSearch } from '@/shared/lists/list-search';
import { LIST_SIZE, SearchedList } from '@/shared/lists/searched-list';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
import { DeleteButton } from '../delete-button';
import { DeletePromptDocument, PromptLibraryDocument, type PromptLibraryQuery } from '../library.generated';
import { describePlaceholder, type Names, PLACEHOLDER, useNames } from '../names';
import { ScenarioTabs } from '../scenario-tabs';
import { PromptDialog } from './prompt-dialog';
import { ROLES } from './prompt-form';

type Prompt = PromptLibraryQuery['prompts']['items'][number];

export interface LibrarySearch extends ListSearch {
  create?: boolean;
  edit?: number;
}

export function labelOfRole(role: Prompt['role']): string {
  return ROLES.find(({ value }) => value === role)?.label ?? role;
}

/** The text with the names of its placeholders, for lists. */
export function plainText(names: Names, content: string): string {
  return content.replace(PLACEHOLDER, (...match) => `[${describePlaceholder(names, match as RegExpMatchArray).label}]`);
}

function columnsOf(names: Names, canEdit: boolean): Column<Prompt>[] {
  return [
    {
      id: 'key',
      header: 'Prompt',
      cell: ({ id, key, content }) => (
        <>
          <Anchor fw={500} c="inherit" renderRoot={props => <EditLink {...props} id={id} />}>
            {key}
          </Anchor>
          <Text fz="xs" c="dimmed" lineClamp={1}>
            {plainText(names, content)}
          </Text>
        </>
      ),
    },
    {
      id: 'role',
      header: 'Role',
      width: '9rem',
      cell: ({ role }) => (
        <Badge variant="default" tt="none" fw={500}>
          {labelOfRole(role)}
        </Badge>
      ),
    },
    {
      id: 'messages',
      header: 'Messages',
      align: 'end',
      isWide: true,
      cell: ({ messages }) => <span className="tabular">{messages.total.toLocaleString()}</span>,
    },
    { id: 'changed', header: 'Changed', isWide: true, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
    {
      id: 'delete',
      header: '',
      width: '3rem',
      align: 'end',
      cell: ({ id, key }) =>
        canEdit && (
          <DeleteButton
            name={key}
            what="prompt"
            note="It is removed from all messages that send it."
            mutation={DeletePromptDocument}
            variables={{ id }}
            refetchQueries={['PromptLibrary']}
          />
        ),
    },
  ];
}

function EditLink({ id, ...props }: { id: number }) {
  return <Link {...props} to="." search={(previous: object) => ({ ...previous, edit: id }) as never} />;
}

export function PromptsScreen() {
  const projectId = useProjectId();
  const search = useSearch({ strict: false }) as LibrarySearch;
  const { page = 1, q, create, edit } = search;
  const setSearch = useSetSearch<LibrarySearch>();
  const names = useNames();
  const { data, previousData, error, refetch } = useQuery(PromptLibraryDocument, {
    variables: { projectId, page, size: LIST_SIZE, key: q ?? null },
  });
  const shown = data ?? previousData;
  const canEdit = shown?.project?.canEdit === true;
  const createButton = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setSearch({ create: true, page })}>
      New prompt
    </Button>
  );
  return (
    <>
      <PageHeader title="Prompts" actions={createButton} />
      <ScenarioTabs />
      <SearchedList
        label="Prompts"
        unit="prompt"
        search={search}
        columns={columnsOf(names, canEdit)}
        list={shown?.prompts}
        error={error}
        onRetry={() => void refetch()}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setSearch({ edit: id, page })}
        empty={
          <EmptyState icon={IconMessage2} title="Collect your prompts here" action={createButton}>
            A prompt is a text with a role. Several messages can send the same prompt.
          </EmptyState>
        }
      />
      <PromptDialog
        open={create ? 'new' : (edit ?? null)}
        onClose={() => setSearch({ create: undefined, edit: undefined, page })}
        names={names}
        isReadOnly={!canEdit}
        refetchQueries={['PromptLibrary']}
      />
    </>
  );
}
