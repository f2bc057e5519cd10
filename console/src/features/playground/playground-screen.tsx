import { useQuery } from '@apollo/client/react';
import { Box, Button, Group, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { IconAdjustments, IconEraser, IconPlus } from '@/icons';
import { PageHeader } from '@/shared/layout/page-header';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { type ListSearch, useSetSearch } from '@/shared/lists/list-search';
import { EditorsOnly } from '@/shared/project/editors-only';
import { useProjectId } from '@/shared/project/use-project';
import { Composer } from './composer';
import { ModelColumn } from './model-column';
import { PlaygroundModelsDocument } from './playground.generated';
import { SaveMenu } from './save-menu';
import { SettingsPanel } from './settings-panel';
import { type ChatSettings, NO_SETTINGS, toolsProblem, useChat } from './use-chat';

const MAX_MODELS = 3;

/** Sends the same messages to up to three models and shows their answers side by side. */
export function PlaygroundScreen() {
  const projectId = useProjectId();
  const { models: chosen } = useSearch({ strict: false }) as { models?: unknown };
  const setSearch = useSetSearch<ListSearch & { models?: string }>();
  const { data, error, refetch } = useQuery(PlaygroundModelsDocument, { variables: { projectId } });
  const known = [...new Set(data?.chatModels.data.map(({ id }) => id) ?? [])];
  const named = typeof chosen === 'string' ? chosen.split(',').filter(Boolean).slice(0, MAX_MODELS) : [];
  const models = named.length > 0 ? named : [known[0] ?? 'echo'];
  const setModels = (next: string[]) => setSearch({ models: next.join(',') });
  const [settings, setSettings] = useState<ChatSettings>(NO_SETTINGS);
  const [isOpen, panel] = useDisclosure(false);
  const chat = useChat(projectId, models);
  const lastText = chat.turns.at(-1)?.text ?? '';
  if (error && !data) return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  if (data?.project?.canEdit === false)
    return (
      <>
        <PageHeader title="Playground" />
        <EditorsOnly action="send messages to models" />
      </>
    );
  return (
    <Stack gap="md" mih="calc(100dvh - 7rem)">
      <PageHeader
        title="Playground"
        actions={
          <>
            <Button variant="default" leftSection={<IconAdjustments size={16} />} onClick={panel.open}>
              Parameters
            </Button>
            <SaveMenu model={models[0] ?? 'echo'} settings={settings} text={lastText} />
            {chat.turns.length > 0 && (
              <Button variant="default" leftSection={<IconEraser size={16} />} onClick={chat.clear}>
                Clear
              </Button>
            )}
          </>
        }
      />
      {data === undefined ? (
        <Skeleton height={360} radius="md" aria-busy="true" />
      ) : (
        <SimpleGrid cols={{ base: 1, md: models.length }} spacing="md" style={{ flex: 1 }}>
          {models.map((model, column) => (
            <ModelColumn
              // biome-ignore lint/suspicious/noArrayIndexKey: a column keeps its place, and its model may repeat.
              key={column}
              model={model}
              known={known}
              column={column}
              turns={chat.turns}
              onModel={next => setModels(models.map((one, at) => (at === column ? next : one)))}
              onRemove={
                models.length > 1
                  ? () => {
                      chat.clear();
                      setModels(models.filter((_, at) => at !== column));
                    }
                  : undefined
              }
              onToolResult={chat.setToolResult}
            />
          ))}
        </SimpleGrid>
      )}
      <Box pos="sticky" bottom={0} bg="var(--mantine-color-body)" pb="sm">
        <Composer
          isRunning={chat.isRunning}
          problem={toolsProblem(settings.tools) === null ? null : 'The tools in the parameters are not valid JSON.'}
          onSend={text => void chat.send(text, settings)}
          onStop={chat.stop}
        />
        {models.length < MAX_MODELS && (
          <Group mt="xs">
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconPlus size={15} />}
              disabled={chat.isRunning}
              onClick={() => setModels([...models, known.find(id => !models.includes(id)) ?? models[0] ?? 'echo'])}
            >
              Compare with another model
            </Button>
          </Group>
        )}
      </Box>
      <SettingsPanel isOpen={isOpen} onClose={panel.close} settings={settings} onChange={setSettings} />
    </Stack>
  );
}
