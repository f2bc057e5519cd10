import { useQuery } from '@apollo/client/react';
import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { IconBooks, IconPlus, IconUnlink } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { QueryView } from '@/shared/layout/query-view';
import { ChoiceButton } from '@/shared/lists/choice-button';
import { SortableList } from '@/shared/lists/sortable-list';
import { useWholeList } from '@/shared/lists/whole-list';
import { useProjectId } from '@/shared/project/use-project';
import { DeleteButton } from '../delete-button';
import { PromptChoicesDocument, ReorderPromptDocument } from '../library.generated';
import type { Names } from '../names';
import { PromptDialog } from '../prompts/prompt-dialog';
import { PromptForm } from '../prompts/prompt-form';
import {
  DeleteMessageDocument,
  ScenarioMessageDocument,
  type ScenarioMessageQuery,
  UpdateMessageDocument,
} from '../scenario-editor.generated';
import { SCENARIO_QUERIES, type ScenarioView } from '../scenario-query';
import { MessageForm } from './message-form';

type Message = NonNullable<ScenarioMessageQuery['message']>;
type Prompt = Message['prompts'][number];

const REFRESH = [...SCENARIO_QUERIES, 'ScenarioMessage'];

export interface MessagePanelProps {
  id: number;
  scenario: ScenarioView;
  names: Names;
}

/** The open message: its prompts, then how it is sent. */
export function MessagePanel({ id, scenario, names }: MessagePanelProps) {
  const query = useQuery(ScenarioMessageDocument, { variables: { id } });
  const navigate = useNavigate();
  return (
    <QueryView query={query}>
      {({ message }) => (
        <Stack gap="lg">
          <Prompts message={message} names={names} canEdit={scenario.canEdit} />
          <Paper p="lg" component="section" aria-labelledby="message-settings">
            <Group justify="space-between" mb="sm">
              <Title order={2} id="message-settings">
                Message
              </Title>
              {scenario.canEdit && (
                <DeleteButton
                  name={message.key}
                  noun="message"
                  note="Its prompts stay in the library."
                  mutation={DeleteMessageDocument}
                  variables={{ id }}
                  refetchQueries={SCENARIO_QUERIES}
                  onDeleted={() => void navigate({ to: '.', search: {} } as never)}
                />
              )}
            </Group>
            <MessageForm message={message} names={names} isReadOnly={!scenario.canEdit} />
          </Paper>
        </Stack>
      )}
    </QueryView>
  );
}

interface PromptsProps {
  message: Message;
  names: Names;
  canEdit: boolean;
}

function Prompts({ message, names, canEdit }: PromptsProps) {
  const update = useAction(UpdateMessageDocument, {
    failure: 'The prompts were not changed',
    refetchQueries: REFRESH,
  });
  const reorder = useAction(ReorderPromptDocument, { failure: 'Not moved', refetchQueries: REFRESH });
  const [isCreating, dialog] = useDisclosure(false);
  const setPrompts = (promptIds: number[]) => update.run({ id: message.id, input: { promptIds } });
  const move = async (item: Prompt, target: Prompt) =>
    (await reorder.run({ id: item.id, sortId: target.sortId })) !== null;
  const number = message.prompts.length + 1;
  return (
    <section aria-labelledby="message-prompts">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="message-prompts">
          Prompts of “{message.key}”
        </Title>
        {canEdit && (
          <Group gap="xs">
            <FromLibrary message={message} onPick={id => void setPrompts([...message.promptIds, id])} />
            <Button size="xs" leftSection={<IconPlus size={14} />} onClick={dialog.open}>
              New prompt
            </Button>
          </Group>
        )}
      </Group>
      {message.prompts.length === 0 && (
        <Paper p="lg" ta="center">
          <Text fz="sm" c="dimmed">
            A message needs at least one prompt. Without prompts the run fails.
          </Text>
        </Paper>
      )}
      <SortableList
        label="Prompts"
        items={message.prompts}
        keyOf={({ id }) => id}
        nameOf={({ key }) => key}
        onMove={move}
        isDisabled={!canEdit || message.prompts.length < 2}
      >
        {(prompt, handle) => (
          <PromptCard handle={handle}>
            <PromptForm
              id={prompt.id}
              initial={prompt}
              names={names}
              isReadOnly={!canEdit}
              refetchQueries={REFRESH}
              actions={
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  leftSection={<IconUnlink size={15} />}
                  onClick={() => void setPrompts(message.promptIds.filter(id => id !== prompt.id))}
                >
                  Remove
                </Button>
              }
            />
          </PromptCard>
        )}
      </SortableList>
      <PromptDialog
        open={isCreating ? 'new' : null}
        onClose={dialog.close}
        names={names}
        refetchQueries={['PromptChoices']}
        suggestion={{ key: `${message.key.slice(0, 200)}, prompt ${number}`, role: number === 1 ? 'USER' : 'SYSTEM' }}
        onSaved={async id => {
          await setPrompts([...message.promptIds, id]);
        }}
      />
    </section>
  );
}

function PromptCard({ handle, children }: { handle: ReactNode; children: ReactNode }) {
  return (
    <Paper p="md" mb="sm">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        {handle}
        <Box style={{ flex: 1, minWidth: 0 }}>{children}</Box>
      </Group>
    </Paper>
  );
}

/** The prompts of the project that the message does not send yet. */
function FromLibrary({ message, onPick }: { message: Message; onPick: (id: number) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const { items, isWhole } = useWholeList(PromptChoicesDocument, 'prompts', {
    variables: { projectId: useProjectId() },
    isEnough: () => !isOpen,
  });
  const others = items.filter(({ id }) => !message.promptIds.includes(id));
  return (
    <ChoiceButton
      label="Prompts"
      choices={others.map(({ id, key }) => ({ value: String(id), label: key }))}
      onChoose={id => onPick(Number(id))}
      onOpenChange={setIsOpen}
    >
      {target => (
        <Button
          {...target}
          size="xs"
          variant="default"
          leftSection={<IconBooks size={14} />}
          disabled={isWhole && others.length === 0}
        >
          From library
        </Button>
      )}
    </ChoiceButton>
  );
}
