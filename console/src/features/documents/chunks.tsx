import { useQuery } from '@apollo/client/react';
import { Button, Group, SegmentedControl, Switch, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { IconFileOff } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { EmptyState } from '@/shared/layout/empty-state';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import {
  EnableAllChunksDocument,
  EnableChunkDocument,
  type EnableChunkMutation,
  RecognitionChunksDocument,
  type RecognitionChunksQuery,
} from './documents.generated';
import type { ChunkSearchParams } from './routes';

type Chunk = RecognitionChunksQuery['recognitionChunks']['items'][number];

const PAGE_SIZE = 20;
const STATES = [
  { value: 'all', label: 'All' },
  { value: 'enabled', label: 'Enabled' },
  { value: 'disabled', label: 'Disabled' },
];

/** The chunks of one recognition run. Searches find the enabled ones. */
export function Chunks({ runId, canEdit }: { runId: number; canEdit: boolean }) {
  const { page = 1, state } = useSearch({ strict: false }) as ChunkSearchParams;
  const setSearch = useSetSearch<ChunkSearchParams>();
  const { data, previousData, error, refetch } = useQuery(RecognitionChunksDocument, {
    variables: {
      recognitionRunId: runId,
      page,
      size: PAGE_SIZE,
      isEnabled: state === undefined ? null : state === 'enabled',
    },
  });
  const list = shownData({ data, previousData, error })?.recognitionChunks;
  const columns: Column<Chunk>[] = [
    {
      id: 'number',
      header: '#',
      width: '3.5rem',
      cell: ({ index }) => (
        <Text component="span" fz="sm" c="dimmed" className="tabular">
          {index + 1}
        </Text>
      ),
    },
    { id: 'text', header: 'Text', cell: ({ text }) => <ChunkText text={text} /> },
    { id: 'page', header: 'Page', width: '4rem', align: 'end', isWide: true, cell: ({ page: at }) => at ?? '–' },
    {
      id: 'tokens',
      header: 'Tokens',
      width: '5rem',
      align: 'end',
      isWide: true,
      cell: ({ tokens }) => <span className="tabular">{tokens.toLocaleString()}</span>,
    },
    {
      id: 'enabled',
      header: 'Enabled',
      width: '5rem',
      align: 'end',
      cell: chunk => <ChunkSwitch runId={runId} chunk={chunk} isDisabled={!canEdit} />,
    },
  ];
  return (
    <>
      <Group justify="space-between" mb="sm">
        <SegmentedControl
          size="xs"
          aria-label="Chunks"
          data={STATES}
          value={state ?? 'all'}
          onChange={next => setSearch({ state: next === 'all' ? undefined : (next as ChunkSearchParams['state']) })}
        />
        {canEdit && <AllChunks runId={runId} />}
      </Group>
      {error && !list ? (
        <ProblemPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label="Chunks"
          columns={columns}
          rows={list?.items}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={IconFileOff} title={state ? `No chunk is ${state}` : 'The file has no text'}>
              {state
                ? 'Show all chunks to change that.'
                : 'Scanned pages of a PDF have no text. Upload them as images.'}
            </EmptyState>
          }
          pages={{ page, size: PAGE_SIZE, total: list?.total ?? 0, onPage: next => setSearch({ page: next }) }}
        />
      )}
    </>
  );
}

/** Lines of a text before the user shows all of it. */
const MAX_LINES = 4;

function ChunkText({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const [isCut, setIsCut] = useState(false);
  const element = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height.
  useEffect(() => {
    const { current } = element;
    if (!current || isWhole) return;
    // It also reports the first size. A fraction of a pixel is rounded up.
    const observer = new ResizeObserver(() => setIsCut(current.scrollHeight > current.clientHeight + 1));
    observer.observe(current);
    return () => observer.disconnect();
  }, [text, isWhole]);
  return (
    <>
      <Text
        ref={element}
        fz="sm"
        my={4}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        lineClamp={isWhole ? undefined : MAX_LINES}
      >
        {text}
      </Text>
      {isCut && (
        <Button size="compact-xs" variant="transparent" px={0} mb={4} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show all'}
        </Button>
      )}
    </>
  );
}

interface ChunkSwitchProps {
  runId: number;
  chunk: Chunk;
  isDisabled: boolean;
}

function ChunkSwitch({ runId, chunk: { id, index, isEnabled }, isDisabled }: ChunkSwitchProps) {
  const { run } = useAction(EnableChunkDocument, { failure: 'Not changed' });
  // The second argument is the expected answer, with only the members that change.
  const toggle = (next: boolean) =>
    run({ recognitionRunId: runId, id, isEnabled: next }, {
      recognitionChunkEnable: {
        __typename: 'RecognitionChunkEnablePayload',
        recognitionChunk: { __typename: 'RecognitionChunk', id, isEnabled: next },
        errors: [],
      },
    } as EnableChunkMutation);
  return (
    <Switch
      aria-label={`Chunk ${index + 1} is enabled`}
      checked={isEnabled}
      w="fit-content"
      ml="auto"
      disabled={isDisabled}
      onChange={event => void toggle(event.currentTarget.checked)}
    />
  );
}

function AllChunks({ runId }: { runId: number }) {
  const { run, isBusy } = useAction(EnableAllChunksDocument, {
    failure: 'Not changed',
    success: ({ isEnabled }) => (isEnabled ? 'All chunks are enabled.' : 'All chunks are disabled.'),
    refetchQueries: ['RecognitionChunks'],
  });
  const set = (isEnabled: boolean) => run({ id: runId, isEnabled });
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
