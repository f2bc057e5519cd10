import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { IconMessage2 } from '@/icons';
import type { Column } from '@/shared/lists/data-table';
import { LIST_SIZE } from '@/shared/lists/searched-list';
import { shownData } from '@/shared/lists/shown-data';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
import { DeletePromptDocument, PromptLibraryDocument, type PromptLibraryQuery } from '../library.generated';
import { deleteColumn, EditLink, LibraryScreen, type LibrarySearch } from '../library-screen';
import { describePlaceholder, type Names, PLACEHOLDER, useNames } from '../names';
import { PromptDialog } from './prompt-dialog';
import { ROLES } from './prompt-form';

type Prompt = PromptLibraryQuery['prompts']['items'][number];

function labelOfRole(role: Prompt['role']): string {
  return ROLES.find(({ value }) => value === role)?.label ?? role;
}

/** The text with the names of its placeholders, for lists. */
function plainText(names: Names, content: string): string {
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
    deleteColumn(canEdit, {
      noun: 'prompt',
      note: 'It is removed from all messages that send it.',
      mutation: DeletePromptDocument,
      query: 'PromptLibrary',
    }),
  ];
}

/** The prompts of the project. */
export function PromptsScreen() {
  const projectId = useProjectId();
  const { page = 1, q } = useSearch({ strict: false }) as LibrarySearch;
  const names = useNames();
  const { data, previousData, error, refetch } = useQuery(PromptLibraryDocument, {
    variables: { projectId, page, size: LIST_SIZE, key: q ?? null },
  });
  const shown = shownData({ data, previousData, error });
  const canEdit = shown?.project?.canEdit === true;
  return (
    <LibraryScreen
      title="Prompts"
      unit="prompt"
      columns={columnsOf(names, canEdit)}
      list={shown?.prompts}
      error={error}
      onRetry={() => void refetch()}
      canEdit={canEdit}
      empty={{
        icon: IconMessage2,
        title: 'Collect your prompts here',
        children: 'A prompt is a text with a role. Several messages can send the same prompt.',
      }}
      dialog={(open, onClose) => (
        <PromptDialog
          open={open}
          onClose={onClose}
          names={names}
          isReadOnly={!canEdit}
          refetchQueries={['PromptLibrary']}
        />
      )}
    />
  );
}
