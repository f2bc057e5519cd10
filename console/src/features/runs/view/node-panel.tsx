import {
  Accordion,
  Alert,
  Anchor,
  Button,
  CloseButton,
  Code,
  Group,
  Paper,
  Select,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { NodeIcon } from '@/canvas/node-icon';
import type { CanvasKind } from '@/canvas/use-node-kinds';
import { IconAlertTriangle, IconGitFork, IconPencil, IconSend } from '@/icons';
import { NodeApprovals } from '@/shared/approval/node-approvals';
import { SendEventDialog } from '@/shared/event/send-event-dialog';
import { JsonTree } from '@/shared/json/json-tree';
import { Money } from '@/shared/money';
import { StatusBadge } from '@/shared/status-badge';
import { Duration, formatDuration, RelativeTime } from '@/shared/time';
import { NodeInput } from './node-input';
import { OutputView } from './output-view';
import { remedyOf } from './remedies';
import type { Execution, Step } from './run-trace';

/** A loop has up to 10,000 executions; more options make the list slow. A search finds the others. */
const MAX_OPTIONS = 500;
/** In characters. The id stays in one line with the buttons; a UUID would wrap. */
const MAX_ID_LENGTH = 13;

/** Kinds of nodes that ask people for approval. */
const ASKING_KINDS = ['agent-node', 'approval-node'];

export interface NodePanelProps {
  nodeId: string;
  label: string;
  kind: CanvasKind | undefined;
  run: { id: string; project: { id: number; canEdit: boolean }; workflowId: number | null };
  /** All executions of the node, the shown one and how to show another. */
  executions: readonly Execution[];
  shown: Execution | undefined;
  onShow: (key: string) => void;
  onClose: () => void;
  /** Absent if the run cannot be forked at this node. */
  onFork?: () => void;
}

/** The executions of one node of a run: state, input, output, error, steps and attempts of the shown one. */
export function NodePanel(props: NodePanelProps) {
  const { nodeId, label, kind, run, executions, shown, onShow, onClose, onFork } = props;
  return (
    <Paper component="section" aria-label={`Node ${label}`} p="md" className="run-panel">
      <Group wrap="nowrap" gap="sm" mb="sm">
        <NodeIcon name={kind?.uiHints.icon} color={kind?.uiHints.color} />
        <div style={{ flex: 1, minWidth: 0 }}>
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>
            {label}
          </Title>
          <Text fz="xs" c="dimmed">
            {kind?.title}
          </Text>
        </div>
        <CloseButton aria-label="Close the panel" onClick={onClose} style={{ alignSelf: 'flex-start' }} />
      </Group>
      <Stack gap="md">
        {executions.length > 1 && (
          <Select
            size="xs"
            label={`Execution (${executions.length.toLocaleString()})`}
            data={executions.map(({ key, iteration, state }) => ({
              value: key,
              label: `#${iteration ?? '–'} · ${state.toLowerCase()}`,
            }))}
            value={shown?.key ?? null}
            onChange={key => key !== null && onShow(key)}
            searchable
            limit={MAX_OPTIONS}
            allowDeselect={false}
          />
        )}
        {shown ? (
          <ExecutionDetails execution={shown} kind={kind} run={run} />
        ) : (
          <Text fz="sm" c="dimmed">
            The node has not run.
          </Text>
        )}
        <Group gap="xs">
          {onFork && (
            <Button size="xs" variant="default" leftSection={<IconGitFork size={15} />} onClick={onFork}>
              Fork from here
            </Button>
          )}
          {run.workflowId !== null && (
            <Button
              size="xs"
              variant="subtle"
              leftSection={<IconPencil size={15} />}
              renderRoot={link => (
                <Link
                  {...link}
                  to="/projects/$projectId/workflows/$workflowId"
                  params={{ projectId: String(run.project.id), workflowId: String(run.workflowId) }}
                />
              )}
            >
              Open in editor
            </Button>
          )}
          <Text fz="xs" c="dimmed" ms="auto">
            <Code fz={11} title={nodeId}>
              {nodeId.length > MAX_ID_LENGTH ? `${nodeId.slice(0, MAX_ID_LENGTH - 1)}…` : nodeId}
            </Code>
          </Text>
        </Group>
      </Stack>
    </Paper>
  );
}

function ExecutionDetails({ execution, kind, run }: Pick<NodePanelProps, 'kind' | 'run'> & { execution: Execution }) {
  const {
    state,
    isReused,
    startedAt,
    endedAt,
    attempts,
    waitedMs,
    log,
    content,
    error,
    usage,
    finishReason,
    steps,
    wait,
  } = execution;
  return (
    <>
      <dl className="run-facts" style={{ margin: 0 }}>
        <Fact name="State">
          <StatusBadge state={state} />
        </Fact>
        {isReused && <Fact name="Result">Reused from the original run</Fact>}
        {startedAt !== null && (
          <Fact name="Duration">
            <Duration seconds={endedAt === null ? null : (endedAt - startedAt) / 1_000} />
          </Fact>
        )}
        {attempts.length > 1 && <Fact name="Attempts">{attempts.length}</Fact>}
        {waitedMs !== null && waitedMs > 0 && <Fact name="Waited">{formatDuration(waitedMs / 1_000)}</Fact>}
        {usage && (
          <Fact name="Tokens">{`${usage.promptTokens.toLocaleString()} in, ${usage.completionTokens.toLocaleString()} out`}</Fact>
        )}
        {usage && (
          <Fact name="Cost">
            <Money usd={usage.costUsd} />
          </Fact>
        )}
        {usage?.savedUsd != null && (
          <Fact name="Saved by the cache">
            <Money usd={usage.savedUsd} />
          </Fact>
        )}
        {finishReason && <Fact name="Ended by">{finishReason.toLowerCase().replaceAll('_', ' ')}</Fact>}
      </dl>
      {wait && wait.kind !== 'APPROVAL' && <WaitView wait={wait} run={run} />}
      {kind !== undefined && ASKING_KINDS.includes(kind.type) && (
        <NodeApprovals
          // The requests are loaded again when the node waits for another one or changes its state.
          key={`${execution.key} ${wait?.requestId ?? state}`}
          projectId={run.project.id}
          runId={run.id}
          nodeId={execution.nodeId}
          iteration={execution.iteration}
          waitsFor={wait?.requestId ?? null}
          canDecide={run.project.canEdit}
        />
      )}
      {error && <ErrorView error={error} />}
      {startedAt !== null && kind?.type !== 'trigger-node' && (
        // The input is loaded again for each attempt.
        <NodeInput key={`input ${execution.key} ${attempts.length}`} runId={run.id} execution={execution} />
      )}
      {content !== null && (
        <section aria-label="Output">
          <Title order={3} mb={4}>
            Output
          </Title>
          <OutputView key={execution.key} value={content} label="output" />
        </section>
      )}
      {log.length > 0 && (
        <section aria-label="Log">
          <Title order={3} mb={4}>
            Log
          </Title>
          <OutputView key={`${execution.key} log`} value={log.join('\n')} label="log" />
        </section>
      )}
      {steps.length > 0 && <Steps steps={steps} />}
      {attempts.length > 1 && <Attempts attempts={attempts} />}
    </>
  );
}

/** A name and its value in a list of facts. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** An error with its remedy. */
export function ErrorView({ error: { code, message } }: { error: { code: string; message: string } }) {
  const remedy = remedyOf(code);
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={code.replaceAll('_', ' ')}>
      <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
      {remedy !== null && (
        <Text fz="sm" mt={6}>
          {remedy}
        </Text>
      )}
    </Alert>
  );
}

function WaitView({ wait, run }: { wait: NonNullable<Execution['wait']>; run: NodePanelProps['run'] }) {
  const projectId = String(run.project.id);
  const [isSending, sending] = useDisclosure(false);
  const { eventName: name, correlationKey } = wait;
  return (
    <Alert color="yellow" variant="light" title={name ? `Waiting for the event “${name}”` : 'Waiting'}>
      {correlationKey && <Text fz="sm">Correlation key: {correlationKey}</Text>}
      {name && run.project.canEdit && (
        <Button size="xs" variant="default" my={6} leftSection={<IconSend size={14} />} onClick={sending.open}>
          Send the event
        </Button>
      )}
      {isSending && name && (
        <SendEventDialog event={{ name, correlationKey: correlationKey ?? '' }} onClose={sending.close} />
      )}
      {wait.runId !== null && (
        <Anchor
          fz="sm"
          renderRoot={link => (
            <Link {...link} to="/projects/$projectId/runs/$runId" params={{ projectId, runId: String(wait.runId) }} />
          )}
        >
          Open the sub-run
        </Anchor>
      )}
      {wait.scenarioRunId !== null && <Text fz="sm">Scenario run {wait.scenarioRunId}</Text>}
      {wait.until !== null && (
        <Text fz="sm">
          Until <RelativeTime at={wait.until} />
        </Text>
      )}
    </Alert>
  );
}

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <section aria-label="Steps">
      <Title order={3} mb={4}>
        Steps
      </Title>
      <Accordion variant="contained" multiple chevronPosition="left">
        {steps.map(({ name, tool, arguments: given, content, from, to }, index) => (
          <Accordion.Item key={`${name} ${from}`} value={`${name} ${from} ${index}`}>
            <Accordion.Control px="sm">
              <Group justify="space-between" wrap="nowrap" gap="xs">
                <Text fz="sm" fw={500} truncate>
                  {tool ?? name}
                </Text>
                <Text fz="xs" c="dimmed" className="tabular" style={{ whiteSpace: 'nowrap' }}>
                  {to === null ? 'in progress' : formatDuration((to - from) / 1_000)}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <Stack gap="xs">
                {given !== null && given !== undefined && (
                  <JsonTree value={given} label={`Arguments of ${tool ?? name}`} />
                )}
                {content !== null && <OutputView value={content} label={`result of ${tool ?? name}`} />}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </section>
  );
}

function Attempts({ attempts }: { attempts: Execution['attempts'] }) {
  return (
    <section aria-label="Attempts">
      <Title order={3} mb={4}>
        Attempts
      </Title>
      <Stack gap={4}>
        {attempts.map(({ number, from, to, error }) => (
          <Group key={number} gap="xs" wrap="nowrap" align="baseline">
            <Text fz="sm" fw={500}>
              {number}
            </Text>
            <Text fz="xs" c="dimmed" className="tabular" style={{ whiteSpace: 'nowrap' }}>
              {to === null ? 'in progress' : formatDuration((to - from) / 1_000)}
            </Text>
            <Text fz="xs" style={{ overflowWrap: 'anywhere' }}>
              {error?.message}
            </Text>
          </Group>
        ))}
      </Stack>
    </section>
  );
}
