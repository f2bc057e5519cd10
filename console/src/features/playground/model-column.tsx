import {
  ActionIcon,
  Alert,
  Autocomplete,
  Box,
  Code,
  Group,
  Loader,
  Paper,
  ScrollArea,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { IconMessages, IconX } from '@/icons';
import { formatUsd } from '@/shared/money';
import { SafeMarkdown } from '@/shared/safe-markdown';
import { formatDuration } from '@/shared/time';
import type { ToolCall } from './chat-stream';
import { type Answer, STOPPED, type Turn } from './use-chat';

interface ModelColumnProps {
  model: string;
  /** The models that the service lists. */
  known: string[];
  /** Its index, from 0. */
  column: number;
  turns: readonly Turn[];
  onModel: (model: string) => void;
  onRemove: (() => void) | undefined;
  onToolResult: (turn: number, column: number, callId: string, result: string) => void;
}

/** The conversation with one model. */
export function ModelColumn({ model, known, column, turns, onModel, onRemove, onToolResult }: ModelColumnProps) {
  const area = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text scrolls to the end.
  useEffect(() => {
    area.current?.scrollTo({ top: area.current.scrollHeight });
  }, [turns]);
  return (
    <Paper
      component="section"
      aria-label={`Answers of ${model}`}
      style={{ display: 'flex', flexDirection: 'column', minWidth: 0 }}
    >
      <Group p="xs" gap="xs" wrap="nowrap" style={{ borderBottom: '1px solid var(--console-line)' }}>
        <ModelInput model={model} known={known} column={column} onModel={onModel} />
        {onRemove && (
          <ActionIcon aria-label={`Remove ${model}`} onClick={onRemove}>
            <IconX size={16} />
          </ActionIcon>
        )}
      </Group>
      <ScrollArea.Autosize
        viewportRef={area}
        mah="calc(100dvh - 19rem)"
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'log', 'aria-label': `Conversation with ${model}` }}
      >
        <Stack p="md" gap="lg">
          {turns.length === 0 && (
            <Stack align="center" gap={6} py={48} c="dimmed">
              <IconMessages size={26} stroke={1.5} />
              <Text fz="sm">Answers of {model} appear here.</Text>
            </Stack>
          )}
          {turns.map(turn => {
            const answer = turn.answers[column];
            return (
              <Stack key={turn.id} gap="sm">
                <Box
                  px="sm"
                  py={7}
                  maw="85%"
                  bg="light-dark(var(--mantine-color-brand-0), var(--mantine-color-dark-6))"
                  style={{
                    alignSelf: 'flex-end',
                    borderRadius: 'var(--mantine-radius-md)',
                    whiteSpace: 'pre-wrap',
                    overflowWrap: 'anywhere',
                  }}
                  fz="sm"
                >
                  {turn.text}
                </Box>
                {answer && (
                  <AnswerView
                    answer={answer}
                    onToolResult={(callId, result) => onToolResult(turn.id, column, callId, result)}
                  />
                )}
              </Stack>
            );
          })}
        </Stack>
      </ScrollArea.Autosize>
    </Paper>
  );
}

/** Models that the service does not list may be typed, because upstreams accept more names than they list. */
function ModelInput({
  model,
  known,
  column,
  onModel,
}: Pick<ModelColumnProps, 'model' | 'known' | 'column' | 'onModel'>) {
  const [text, setText] = useState(model);
  useEffect(() => setText(model), [model]);
  return (
    <Autocomplete
      aria-label={`Model ${column + 1}`}
      size="xs"
      style={{ flex: 1 }}
      data={known}
      value={text}
      limit={50}
      // Before the user types, all models are offered: the current one would match only itself.
      filter={text === model ? ({ options }) => options : undefined}
      onChange={setText}
      onOptionSubmit={onModel}
      onBlur={() => (text.trim() === '' ? setText(model) : onModel(text.trim()))}
    />
  );
}

function AnswerView({
  answer,
  onToolResult,
}: {
  answer: Answer;
  onToolResult: (callId: string, result: string) => void;
}) {
  const { text, toolCalls, problem, isRunning, toolResults } = answer;
  return (
    <Stack gap="xs">
      {text !== '' && <AnswerText text={text} isRunning={isRunning} />}
      {toolCalls.map(call => (
        <ToolCallView
          key={call.id}
          call={call}
          isRunning={isRunning}
          result={toolResults[call.id] ?? ''}
          onResult={result => onToolResult(call.id, result)}
        />
      ))}
      {isRunning && text === '' && toolCalls.length === 0 && <Loader size="xs" type="dots" aria-label="Waiting" />}
      {problem !== null && (
        <Alert color={problem === STOPPED ? 'gray' : 'red'} p="xs" role="alert">
          {problem}
        </Alert>
      )}
      {!isRunning && <AnswerMeasures answer={answer} />}
    </Stack>
  );
}

/** Plain while the text arrives, because half of a list or a table has another layout. */
function AnswerText({ text, isRunning }: { text: string; isRunning: boolean }) {
  if (isRunning)
    return (
      <Text fz="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    );
  return (
    <Text component="div" fz="sm" style={{ overflowWrap: 'anywhere' }}>
      <SafeMarkdown text={text} />
    </Text>
  );
}

interface ToolCallViewProps {
  call: ToolCall;
  isRunning: boolean;
  result: string;
  onResult: (result: string) => void;
}

function ToolCallView({ call, isRunning, result, onResult }: ToolCallViewProps) {
  return (
    <Box p="xs" style={{ border: '1px solid var(--console-line)', borderRadius: 'var(--mantine-radius-sm)' }}>
      <Text fz="xs" fw={600}>
        Calls {call.name}
      </Text>
      <Code block fz="xs" mt={4} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {call.arguments}
      </Code>
      {!isRunning && (
        <Textarea
          size="xs"
          mt={6}
          autosize
          aria-label={`Result of ${call.name}`}
          placeholder="Result, sent with your next message"
          value={result}
          onChange={event => onResult(event.currentTarget.value)}
        />
      )}
    </Box>
  );
}

/** The times, tokens and cost of an answer. */
function AnswerMeasures({ answer }: { answer: Answer }) {
  const { firstMs, totalMs, promptTokens, completionTokens, costUsd, finishReason } = answer;
  const parts = [
    totalMs === null ? null : formatDuration(totalMs / 1_000),
    firstMs === null ? null : `first word ${formatDuration(firstMs / 1_000)}`,
    completionTokens === null ? null : `${promptTokens} → ${completionTokens} tokens`,
    costUsd === null ? null : formatUsd(costUsd),
    finishReason === null || finishReason === 'stop' ? null : finishReason,
  ].filter(part => part !== null);
  return (
    <Text fz="xs" c="dimmed" className="tabular">
      {parts.join(' · ')}
    </Text>
  );
}
