import { Badge, Box, Button, Group, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconMessagePlus, IconPlus } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { EmptyState } from '@/shared/layout/empty-state';
import { countOf } from '@/shared/lists/count';
import { SortableList } from '@/shared/lists/sortable-list';
import { useProjectId } from '@/shared/project/use-project';
import { type Names, useNames } from '../names';
import { CreateMessageDocument, ReorderMessageDocument } from '../scenario-editor.generated';
import { modelOf, SCENARIO_QUERIES, type ScenarioMessageRow, type ScenarioView } from '../scenario-query';
import { UpdateScenarioDocument } from '../scenarios.generated';
import classes from '../scenarios.module.css';

export interface MessageListProps {
  scenario: ScenarioView;
  selectedId: number | null;
}

/** A name for a new message. Names are unique in the project and have at most 255 characters. */
function nextKey(names: Names, { name, messages }: ScenarioView): string {
  const keys = new Set([...names.messages, ...messages].map(({ key }) => key));
  const base = name.slice(0, 200);
  for (let number = 1; ; number += 1) {
    const key = `${base}, message ${number}`;
    if (!keys.has(key)) return key;
  }
}

/** The messages of a scenario in their order. Editors add and move them. */
export function MessageList({ scenario, selectedId }: MessageListProps) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const reorder = useAction(ReorderMessageDocument, { failure: 'Not moved', refetchQueries: SCENARIO_QUERIES });
  const create = useAction(CreateMessageDocument, { failure: 'No message was added' });
  const update = useAction(UpdateScenarioDocument, {
    failure: 'The message was not added',
    refetchQueries: SCENARIO_QUERIES,
  });
  const names = useNames();
  const move = async (item: ScenarioMessageRow, target: ScenarioMessageRow) =>
    (await reorder.run({ id: item.id, sortId: target.sortId })) !== null;
  const add = async () => {
    const created = await create.run({ input: { projectId, key: nextKey(names, scenario) } });
    const id = created?.messageCreate?.message?.id;
    if (id === undefined) return;
    await update.run({ id: scenario.id, input: { messageIds: [...scenario.messageIds, id] } });
    await navigate({ to: '.', search: { message: id } } as never);
  };
  const addButton = scenario.canEdit && (
    <Button leftSection={<IconPlus size={16} />} loading={create.isBusy || update.isBusy} onClick={() => void add()}>
      Add message
    </Button>
  );
  if (scenario.messages.length === 0)
    return (
      <EmptyState icon={IconMessagePlus} title="Add the first message" action={addButton}>
        A message sends its prompts to a model. Later messages can use its result.
      </EmptyState>
    );
  return (
    <Box className={classes.sticky}>
      <SortableList
        label="Messages"
        items={scenario.messages}
        keyOf={({ id }) => id}
        nameOf={({ key }) => key}
        onMove={move}
        isDisabled={!scenario.canEdit}
      >
        {(message, handle, index) => (
          <MessageRow message={message} handle={handle} number={index + 1} isActive={message.id === selectedId} />
        )}
      </SortableList>
      <Box mt="sm">
        {scenario.canEdit && (
          <Button
            fullWidth
            variant="default"
            leftSection={<IconPlus size={16} />}
            loading={create.isBusy || update.isBusy}
            onClick={() => void add()}
          >
            Add message
          </Button>
        )}
      </Box>
    </Box>
  );
}

interface MessageRowProps {
  message: ScenarioMessageRow;
  handle: ReactNode;
  number: number;
  isActive: boolean;
}

function MessageRow({ message, handle, number, isActive }: MessageRowProps) {
  const { id, key, parameters, promptIds } = message;
  const prompts = countOf(promptIds.length, 'prompt');
  return (
    <div className={classes.message} data-active={isActive || undefined}>
      {handle}
      <span className={classes.number} aria-hidden>
        {number}
      </span>
      <Box style={{ flex: 1, minWidth: 0 }}>
        <Text
          fw={500}
          fz="sm"
          c="inherit"
          td="none"
          truncate
          renderRoot={props => (
            <Link
              {...props}
              to="."
              search={{ message: id } as never}
              aria-current={isActive ? 'true' : undefined}
              style={{ ...(props.style as object), display: 'block' }}
            />
          )}
        >
          {key}
        </Text>
        <Text fz="xs" c="dimmed" truncate>
          {[modelOf(parameters) || 'Default model', prompts].join(' · ')}
        </Text>
      </Box>
      <MessageBadges message={message} />
    </div>
  );
}

function MessageBadges({ message }: { message: Omit<ScenarioMessageRow, '__typename' | 'id' | 'promptIds'> }) {
  const { isLoop, isAsync, loopCount, loopVariable, returnType } = message;
  const loop = loopVariable ? `Loop: ${loopVariable.key}` : `Loop × ${loopCount}`;
  const labels = [
    isLoop ? loop : '',
    isAsync ? 'Async' : '',
    returnType === 'IMAGE' ? 'Image' : '',
    returnType === 'VARIABLES' ? 'Variables' : '',
  ].filter(Boolean);
  return (
    <Group gap={4} wrap="nowrap">
      {labels.map(label => (
        <Badge key={label} variant="default" size="sm" tt="none" fw={500}>
          {label}
        </Badge>
      ))}
    </Group>
  );
}
