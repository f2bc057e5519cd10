import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Button, Grid, Group, Paper, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { IconPlayerPlay } from '@/icons';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { UnsavedGuard } from '@/shared/forms/unsaved-guard';
import { useIdempotencyKey } from '@/shared/forms/use-idempotency-key';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { countOf } from '@/shared/lists/count';
import { EditorsOnly } from '@/shared/project/editors-only';
import { useProjectId } from '@/shared/project/use-project';
import { ModelInput } from '../messages/model-fields';
import { ScenarioEditorDocument } from '../scenario-editor.generated';
import { modelOf } from '../scenario-query';
import { ScenariosLink } from '../scenario-screen';
import { ScenarioRunViewDocument, StartScenarioRunDocument } from './scenario-run.generated';

/** The scenario or the earlier run that a new run is started from. */
interface Source {
  title: string;
  start: { scenarioId: number } | { scenarioRunId: number };
  variables: readonly {
    id: number;
    key: string;
    variableNames: readonly { localId: number; name: string; value: string; isActive: boolean }[];
  }[];
  messages: readonly { id: number; key: string; parameters: unknown }[];
  canEdit: boolean;
  /** Values that the earlier run replaced, by `valueKey`. */
  inserted: Record<string, string>;
  /** The webhook of the earlier run. Empty: none. */
  webhookUrl: string;
}

interface Values {
  /** Changed values, by `valueKey`. */
  values: Record<string, string>;
  /** Changed models, by `modelKey`. */
  models: Record<string, string>;
  webhookUrl: string;
}

const valueKey = (variableId: number, localId: number) => `v${variableId}_${localId}`;
const modelKey = (messageId: number) => `m${messageId}`;

/** A new run of a scenario. */
export function ScenarioRunFormScreen() {
  const { scenarioId } = useParams({ strict: false }) as { scenarioId: string };
  const query = useQuery(ScenarioEditorDocument, { variables: { id: Number(scenarioId) } });
  return (
    <QueryView query={query}>
      {({ scenario: { id, name, canEdit, variables, messages } }) => (
        <RunForm
          source={{
            title: name,
            start: { scenarioId: id },
            canEdit,
            variables,
            messages,
            inserted: {},
            webhookUrl: '',
          }}
        />
      )}
    </QueryView>
  );
}

/** A new run with the messages, prompts and values of an earlier one. */
export function RepeatRunScreen() {
  const { scenarioRunId } = useParams({ strict: false }) as { scenarioRunId: string };
  const query = useQuery(ScenarioRunViewDocument, { variables: { id: Number(scenarioRunId) } });
  return (
    <QueryView query={query}>
      {({ scenarioRun: { id, scenario, project, variables, messages, insertedVariables, webhookUrl } }) => {
        const inserted = Object.fromEntries(
          insertedVariables.map(one => [valueKey(one.variableId, one.variableNameId), one.value]),
        );
        const title = scenario?.name ?? `Run ${id}`;
        const start = { scenarioRunId: id };
        const { canEdit } = project;
        return <RunForm source={{ title, start, canEdit, variables, messages, inserted, webhookUrl }} />;
      }}
    </QueryView>
  );
}

/** The input of the mutation: what the form shows, of values and models only those that differ from the stored ones. */
function inputOf({ start, variables, messages, inserted }: Source, { values, models, webhookUrl }: Values) {
  const all = { ...inserted, ...values };
  return {
    ...start,
    insertedVariables: variables.flatMap(({ id: variableId, variableNames }) =>
      variableNames.flatMap(({ localId: variableNameId, value: stored }) => {
        const value = all[valueKey(variableId, variableNameId)];
        return value === undefined || value === stored ? [] : [{ variableId, variableNameId, value }];
      }),
    ),
    messages: messages.flatMap(({ id, parameters }) => {
      const model = models[modelKey(id)];
      if (model === undefined || model === modelOf(parameters)) return [];
      const { model_name: _, ...others } = parameters as Record<string, unknown>;
      return [{ id, parameters: model === '' ? others : { ...others, model_name: model } }];
    }),
    webhookUrl,
    doRunDefault: false,
  };
}

function RunForm({ source }: { source: Source }) {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const idempotencyKeyOf = useIdempotencyKey();
  const form = useForm<Values>({ initialValues: { values: {}, models: {}, webhookUrl: source.webhookUrl } });
  const { submit, isBusy, problem } = useFormMutation(StartScenarioRunDocument, {
    form,
    onDone: async ({ scenarioRunStart }, _variables, markSaved) => {
      markSaved();
      const scenarioRunId = String(scenarioRunStart?.scenarioRun?.id);
      await navigate({
        to: '/projects/$projectId/scenarios/runs/$scenarioRunId',
        params: { projectId, scenarioRunId },
      });
    },
  });
  const send = (values: Values) => {
    const input = inputOf(source, values);
    return submit({ input, idempotencyKey: idempotencyKeyOf(input) });
  };
  return (
    <form onSubmit={form.onSubmit(send)}>
      <UnsavedGuard isDirty={() => form.isDirty()} subject="the input of the run" />
      <PageHeader
        title={`Run “${source.title}”`}
        description="Changes apply to this run only."
        trail={[
          { label: 'Scenarios', link: <ScenariosLink /> },
          { label: source.title, link: <SourceLink source={source} /> },
        ]}
        actions={
          source.canEdit && (
            <Button type="submit" loading={isBusy} leftSection={<IconPlayerPlay size={16} />}>
              Start run
            </Button>
          )
        }
      />
      {problem !== null && (
        <Alert color="red" role="alert" mb="md">
          {problem}
        </Alert>
      )}
      {source.canEdit ? <RunInputs source={source} form={form} /> : <EditorsOnly action="start runs" />}
    </form>
  );
}

function SourceLink({ source: { title, start } }: { source: Source }) {
  const projectId = String(useProjectId());
  return 'scenarioId' in start ? (
    <Anchor
      c="inherit"
      renderRoot={props => (
        <Link
          {...props}
          to="/projects/$projectId/scenarios/$scenarioId"
          params={{ projectId, scenarioId: String(start.scenarioId) }}
        />
      )}
    >
      {title}
    </Anchor>
  ) : (
    <Anchor
      c="inherit"
      renderRoot={props => (
        <Link
          {...props}
          to="/projects/$projectId/scenarios/runs/$scenarioRunId"
          params={{ projectId, scenarioRunId: String(start.scenarioRunId) }}
        />
      )}
    >
      Run {start.scenarioRunId}
    </Anchor>
  );
}

interface PartProps {
  source: Source;
  form: UseFormReturnType<Values>;
}

function RunInputs({ source, form }: PartProps) {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <VariableInputs source={source} form={form} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack gap="lg">
          <ModelInputs source={source} form={form} />
          <Paper p="lg">
            <TextInput
              label="Webhook"
              description="An address that receives the end of the run."
              placeholder="https://example.com/hook"
              type="url"
              {...form.getInputProps('webhookUrl')}
            />
          </Paper>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function VariableInputs({ source, form }: PartProps) {
  return (
    <Paper p="lg" component="section" aria-labelledby="run-variables">
      <Title order={2} id="run-variables" mb="sm">
        Values
      </Title>
      {source.variables.length === 0 && (
        <Text fz="sm" c="dimmed">
          The scenario uses no variables. Start the run.
        </Text>
      )}
      <Stack gap="lg">
        {source.variables.map(variable => (
          <VariableValues key={variable.id} variable={variable} source={source} form={form} />
        ))}
      </Stack>
    </Paper>
  );
}

/** Number of values of a variable that are shown before “Show all”. */
const SHOWN_VALUES = 8;

function VariableValues({ variable, source, form }: PartProps & { variable: Source['variables'][number] }) {
  const { id, key, variableNames } = variable;
  const [isExpanded, setIsExpanded] = useState(false);
  const shown = isExpanded ? variableNames : variableNames.slice(0, SHOWN_VALUES);
  return (
    <Stack gap="xs" role="group" aria-label={key}>
      <Text component="span" fz="sm" fw={600}>
        {key}
      </Text>
      {shown.map(({ localId, name, value, isActive }) => {
        const field = valueKey(id, localId);
        return (
          <Textarea
            key={localId}
            label={isActive ? name : `${name} (not in loops)`}
            autosize
            minRows={1}
            maxRows={8}
            value={form.values.values[field] ?? source.inserted[field] ?? value}
            onChange={event => form.setFieldValue(`values.${field}`, event.currentTarget.value)}
          />
        );
      })}
      {variableNames.length > shown.length && (
        <Group>
          <Button size="compact-sm" variant="subtle" onClick={() => setIsExpanded(true)}>
            Show all {countOf(variableNames.length, 'value')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function ModelInputs({ source, form }: PartProps) {
  return (
    <Paper p="lg" component="section" aria-labelledby="run-models">
      <Title order={2} id="run-models" mb="sm">
        Models
      </Title>
      {form.errors.messages !== undefined && (
        <Text fz="sm" c="red" role="alert">
          {form.errors.messages}
        </Text>
      )}
      <Stack gap="sm">
        {source.messages.map(({ id, key, parameters }) => (
          <ModelInput
            key={id}
            label={key}
            value={form.values.models[modelKey(id)] ?? modelOf(parameters)}
            onChange={model => form.setFieldValue(`models.${modelKey(id)}`, model)}
          />
        ))}
      </Stack>
    </Paper>
  );
}
