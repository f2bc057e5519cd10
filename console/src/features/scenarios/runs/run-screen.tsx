import { useQuery, useSubscription } from '@apollo/client/react';
import { Alert, Anchor, Button, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { IconPencil, IconPlayerStop, IconRefresh } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { Money } from '@/shared/money';
import { useProjectId } from '@/shared/project/use-project';
import { StatusBadge } from '@/shared/status-badge';
import { Duration, RelativeTime } from '@/shared/time';
import { useEnd } from '@/shared/use-end';
import { DeleteButton } from '../delete-button';
import { ScenariosLink } from '../scenario-screen';
import { type Progress, RunSteps } from './run-steps';
import {
  CancelScenarioRunDocument,
  DeleteScenarioRunDocument,
  ScenarioRunViewDocument,
  type ScenarioRunViewQuery,
  StartScenarioRunDocument,
  WatchScenarioRunDocument,
} from './scenario-run.generated';
import { secondsBetween } from './scenario-runs';

export type Run = NonNullable<ScenarioRunViewQuery['scenarioRun']>;

function isRunning(status: Run['status']): boolean {
  return status === 'QUEUED' || status === 'RUNNING';
}

/** One run, updated live. The cache merges each change into the run. */
export function ScenarioRunScreen() {
  const id = Number((useParams({ strict: false }) as { scenarioRunId: string }).scenarioRunId);
  const query = useQuery(ScenarioRunViewDocument, { variables: { id } });
  const status = query.data?.scenarioRun?.status;
  const isActive = status !== undefined && isRunning(status);
  /** Whether the run has started: it then copies the messages of the scenario, which the subscription does not report. */
  const hasMessages = (query.data?.scenarioRun?.messages.length ?? 0) > 0;
  const [progress, setProgress] = useState<Progress>({});
  useSubscription(WatchScenarioRunDocument, {
    variables: { id },
    skip: !isActive,
    ignoreResults: true,
    onData: ({ data: { data } }) => {
      const { round } = data?.scenarioRunChanged ?? {};
      if (round) setProgress(previous => ({ ...previous, [round.messageId]: round }));
      if (!hasMessages) void query.refetch().catch(() => undefined);
    },
  });
  useEnd(isActive, () => void query.refetch().catch(() => undefined));
  return <QueryView query={query}>{({ scenarioRun }) => <RunView run={scenarioRun} progress={progress} />}</QueryView>;
}

function RunView({ run, progress }: { run: Run; progress: Progress }) {
  return (
    <>
      <PageHeader
        title={`Run ${run.id}`}
        badges={<StatusBadge state={run.status} />}
        trail={[
          { label: 'Scenarios', link: <ScenariosLink /> },
          ...(run.scenario ? [{ label: run.scenario.name, link: <ScenarioLink scenario={run.scenario} /> }] : []),
        ]}
        actions={<RunActions run={run} />}
      />
      <Facts run={run} />
      {run.error && (
        <Alert color="red" title="The run failed" mb="lg" role="alert">
          {run.error.message}{' '}
          <Text span fz="xs">
            ({run.error.code})
          </Text>
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <RunSteps run={run} progress={progress} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <FinalResult run={run} />
            <LocalVariables run={run} />
            <WorkflowRuns run={run} />
            <ChangedValues run={run} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function ScenarioLink({ scenario: { id, name } }: { scenario: { id: number; name: string } }) {
  const params = { projectId: String(useProjectId()), scenarioId: String(id) };
  return (
    <Anchor
      c="inherit"
      renderRoot={props => <Link {...props} to="/projects/$projectId/scenarios/$scenarioId" params={params} />}
    >
      {name}
    </Anchor>
  );
}

function RunActions({ run: { id, status, project } }: { run: Run }) {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const cancel = useAction(CancelScenarioRunDocument, { failure: 'Not cancelled' });
  const start = useAction(StartScenarioRunDocument, { failure: 'Not started' });
  if (!project.canEdit) return null;
  const params = { projectId, scenarioRunId: String(id) };
  const again = async () => {
    const done = await start.run({ input: { scenarioRunId: id } });
    const started = done?.scenarioRunStart?.scenarioRun?.id;
    if (started === undefined) return;
    await navigate({
      to: '/projects/$projectId/scenarios/runs/$scenarioRunId',
      params: { projectId, scenarioRunId: String(started) },
    });
  };
  if (isRunning(status))
    return (
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={16} />}
        loading={cancel.isBusy}
        onClick={() => void cancel.run({ id })}
      >
        Cancel
      </Button>
    );
  return (
    <>
      <DeleteButton
        name={`run ${id}`}
        noun="run"
        note="Its results are deleted. Its cost stays in the ledger."
        mutation={DeleteScenarioRunDocument}
        variables={{ id }}
        onDeleted={() => void navigate({ to: '/projects/$projectId/scenarios', params: { projectId } })}
      />
      <Button
        variant="default"
        leftSection={<IconPencil size={16} />}
        onClick={() => void navigate({ to: '/projects/$projectId/scenarios/runs/$scenarioRunId/repeat', params })}
      >
        Edit and run again
      </Button>
      <Button leftSection={<IconRefresh size={16} />} loading={start.isBusy} onClick={() => void again()}>
        Run again
      </Button>
    </>
  );
}

function Facts({ run }: { run: Run }) {
  const { createdAt, startedAt, finishedAt, tokens, cost, processedMessages, messages } = run;
  const done = processedMessages.filter(({ status }) => status !== 'RUNNING').length;
  const facts = [
    { label: 'Started', value: <RelativeTime at={startedAt ?? createdAt} /> },
    { label: 'Duration', value: <Duration seconds={secondsBetween(startedAt, finishedAt)} /> },
    { label: 'Messages', value: `${done} of ${Math.max(messages.length, done)}` },
    { label: 'Tokens', value: tokens.total.toLocaleString() },
    { label: 'Cost', value: <Money usd={cost.usd} /> },
  ];
  return (
    <Group component="dl" gap="xl" mt={0} mb="lg" style={{ rowGap: '0.6rem' }}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <Text component="dt" fz="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fw={500} className="tabular">
            {value}
          </Text>
        </div>
      ))}
    </Group>
  );
}

function FinalResult({ run: { status, finalResult } }: { run: Run }) {
  const note = isRunning(status) ? 'It appears when the run has finished.' : 'The run has no result.';
  return (
    <Paper p="lg" component="section" aria-labelledby="final-result">
      <Title order={2} id="final-result" mb="xs">
        Final result
      </Title>
      {finalResult === null ? (
        <Text fz="sm" c="dimmed">
          {note}
        </Text>
      ) : (
        <Text fz="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {finalResult}
        </Text>
      )}
    </Paper>
  );
}

/** The runs of workflows that messages started. */
function WorkflowRuns({ run: { workflowRuns } }: { run: Run }) {
  const projectId = String(useProjectId());
  const { items, total } = workflowRuns;
  if (total === 0) return null;
  return (
    <Paper p="lg" component="section" aria-labelledby="workflow-runs">
      <Title order={2} id="workflow-runs" mb="xs">
        Workflow runs
      </Title>
      <Stack gap="xs">
        {items.map(({ id, state, workflow }) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <Anchor
              fz="sm"
              renderRoot={props => (
                <Link {...props} to="/projects/$projectId/runs/$runId" params={{ projectId, runId: id }} />
              )}
            >
              {workflow?.title ?? id}
            </Anchor>
            <StatusBadge state={state} />
          </Group>
        ))}
        {total > items.length && (
          <Text fz="xs" c="dimmed">
            The newest {items.length} of {total}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function LocalVariables({ run: { localVariables } }: { run: Run }) {
  if (localVariables.length === 0) return null;
  return (
    <Values
      id="local-variables"
      title="Local variables"
      rows={localVariables.map(({ messageId, name, value }, index) => ({ key: `${messageId}-${index}`, name, value }))}
    />
  );
}

function ChangedValues({ run: { insertedVariables, variables } }: { run: Run }) {
  if (insertedVariables.length === 0) return null;
  const rows = insertedVariables.map(({ localId, variableId, variableNameId, value }) => {
    const variable = variables.find(({ id }) => id === variableId);
    const part = variable?.variableNames.find(one => one.localId === variableNameId);
    return { key: String(localId), name: variable ? `${variable.key} · ${part?.name ?? ''}` : 'Value', value };
  });
  return <Values id="changed-values" title="Changed values" rows={rows} />;
}

interface ValuesProps {
  id: string;
  title: string;
  rows: { key: string; name: string; value: string }[];
}

function Values({ id, title, rows }: ValuesProps) {
  return (
    <Paper p="lg" component="section" aria-labelledby={id}>
      <Title order={2} id={id} mb="xs">
        {title}
      </Title>
      <Stack component="dl" gap="xs" m={0} style={{ maxHeight: '20rem', overflowY: 'auto' }} tabIndex={0}>
        {rows.map(({ key, name, value }) => (
          <div key={key}>
            <Text component="dt" fz="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" m={0} fz="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {value}
            </Text>
          </div>
        ))}
      </Stack>
    </Paper>
  );
}
