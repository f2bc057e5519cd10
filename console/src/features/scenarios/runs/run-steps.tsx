import { Box, Button, Code, Group, Image, Paper, Progress as ProgressBar, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { countOf } from '@/shared/lists/count';
import { Money } from '@/shared/money';
import { labelOfState, StatusBadge } from '@/shared/status-badge';
import { modelOf } from '../scenario-query';
import classes from '../scenarios.module.css';
import type { Run } from './run-screen';

type Message = Run['messages'][number];
type ProcessedMessage = Run['processedMessages'][number];

/** The last reported round of each message, by id of the message. */
export type Progress = Record<number, { round: number; rounds: number }>;

/** The messages in their order, each with its results round by round. */
export function RunSteps({ run, progress }: { run: Run; progress: Progress }) {
  const processed = new Map(run.processedMessages.map(one => [one.messageId, one]));
  const steps = run.messages.length > 0 ? run.messages : run.processedMessages.map(toMessage);
  return (
    <section aria-labelledby="run-messages">
      <Title order={2} id="run-messages" mb="sm">
        Messages
      </Title>
      <Paper component="ol" m={0} p={0} style={{ listStyle: 'none' }} aria-live="polite">
        {steps.map((message, index) => (
          <Step
            key={message.id}
            number={index + 1}
            message={message}
            state={processed.get(message.id)}
            progress={progress[message.id]}
            hasEnded={run.status !== 'QUEUED' && run.status !== 'RUNNING'}
          />
        ))}
        {steps.length === 0 && (
          <Text component="li" p="lg" fz="sm" c="dimmed">
            The run is about to start.
          </Text>
        )}
      </Paper>
    </section>
  );
}

/** After the results have expired, only the names are left. */
function toMessage({ messageId, key }: ProcessedMessage): Message {
  return {
    id: messageId,
    key,
    isLoop: false,
    isAsync: false,
    loopCount: 1,
    returnType: 'TEXT',
    parameters: {},
  };
}

interface StepProps {
  number: number;
  message: Message;
  state: ProcessedMessage | undefined;
  progress: { round: number; rounds: number } | undefined;
  hasEnded: boolean;
}

function Step({ number, message, state, progress, hasEnded }: StepProps) {
  const { key, parameters, isLoop } = message;
  const status = state?.status ?? (hasEnded ? 'NOT_SENT' : 'WAITING');
  const rounds = progress?.rounds ?? 0;
  const finished = state?.results.length ?? 0;
  return (
    <li className={classes.step}>
      <Group justify="space-between" gap="xs" wrap="wrap">
        <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
          <span className={classes.number} aria-hidden>
            {number}
          </span>
          <Text fw={500} truncate>
            {key}
          </Text>
        </Group>
        <StatusBadge state={status} label={labelOfState(status)} />
      </Group>
      <Box pl={{ base: 0, xs: '2.2rem' }} mt={6}>
        <Text fz="xs" c="dimmed" className="tabular">
          {modelOf(parameters) || 'Default model'}
          {isLoop && ` · ${rounds > 0 ? `${finished} of ${rounds}` : finished} rounds`}
          {state && ` · ${countOf(state.tokens.total, 'token')} · `}
          {state && <Money usd={state.cost.usd} />}
          {state?.finishReason && ` · ended by ${labelOfState(state.finishReason).toLowerCase()}`}
        </Text>
        {status === 'RUNNING' && rounds > 1 && (
          <ProgressBar
            value={(finished / rounds) * 100}
            size="sm"
            mt="xs"
            aria-label={`Rounds of ${key}: ${finished} of ${rounds}`}
          />
        )}
        {state?.error && (
          <Text fz="sm" c="red" mt="xs" role="alert">
            {state.error.message} <Code>{state.error.code}</Code>
          </Text>
        )}
        {state && state.results.length > 0 && <Results message={message} results={state.results} />}
      </Box>
    </li>
  );
}

/** Number of rounds that are shown before “Show all”. */
const SHOWN_ROUNDS = 10;

function Results({ message, results }: { message: Message; results: readonly string[] }) {
  const [isExpanded, setIsExpanded] = useState(false);
  const shown = isExpanded ? results : results.slice(0, SHOWN_ROUNDS);
  return (
    <Box mt="sm">
      {shown.map((result, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rounds have no other id and keep their place.
        <div key={index} className={classes.round}>
          {message.isLoop && (
            <Text fz="xs" fw={600} c="dimmed">
              Round {index + 1}
            </Text>
          )}
          {message.returnType === 'IMAGE' ? (
            <Image src={result} alt={`Result of ${message.key}`} radius="md" maw={420} />
          ) : (
            <p className={classes.result}>{result}</p>
          )}
        </div>
      ))}
      {results.length > shown.length && (
        <Button mt="xs" size="compact-sm" variant="subtle" onClick={() => setIsExpanded(true)}>
          Show all {countOf(results.length, 'round')}
        </Button>
      )}
    </Box>
  );
}
