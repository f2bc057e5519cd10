import {
  Button,
  Group,
  JsonInput,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { focusFirstError } from '@/shared/forms/focus-first-error';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { FormProblem } from '@/shared/forms/form-problem';
import { UnsavedGuard } from '@/shared/forms/unsaved-guard';
import { MAX_OPTIONS } from '@/shared/lists/whole-list';
import type { Names } from '../names';
import { type ScenarioMessageQuery, UpdateMessageDocument } from '../scenario-editor.generated';
import { modelOf, SCENARIO_QUERIES } from '../scenario-query';
import { type Condition, ConditionsEditor, toConditionInputs, withoutErrorsOf } from './conditions-editor';
import { ModelInput, ProviderInput, SERVICES } from './model-fields';

type Message = NonNullable<ScenarioMessageQuery['message']>;

interface Values {
  key: string;
  provider: string;
  model: string;
  temperature: number | string;
  maxTokens: number | string;
  /** Further parameters, as JSON. */
  parameters: string;
  returnType: Message['returnType'];
  isAsync: boolean;
  isLoop: boolean;
  /** An id, or "" for a number of rounds. */
  loopVariableId: string;
  loopCount: number | string;
  conditions: readonly Condition[];
}

function valuesOf(message: Message): Values {
  const { model_name: _, temperature, max_tokens, ...others } = message.parameters as Record<string, unknown>;
  return {
    key: message.key,
    provider: message.provider,
    model: modelOf(message.parameters),
    temperature: typeof temperature === 'number' ? temperature : '',
    maxTokens: typeof max_tokens === 'number' ? max_tokens : '',
    parameters: Object.keys(others).length === 0 ? '' : JSON.stringify(others, null, 2),
    returnType: message.returnType,
    isAsync: message.isAsync,
    isLoop: message.isLoop,
    loopVariableId: message.loopVariableId === null ? '' : String(message.loopVariableId),
    loopCount: message.loopCount,
    conditions: message.conditions,
  };
}

/** The value of a JSON text. An empty text is an empty object; null: the text is not JSON. */
function parseParameters(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return null;
  }
}

function modelParameters(model: string, temperature: number | string, maxTokens: number | string) {
  return {
    ...(model === '' ? {} : { model_name: model }),
    ...(temperature === '' ? {} : { temperature: Number(temperature) }),
    ...(maxTokens === '' ? {} : { max_tokens: Number(maxTokens) }),
  };
}

function inputOf(values: Values) {
  const { model, temperature, maxTokens, parameters, loopVariableId, loopCount, conditions, ...others } = values;
  return {
    ...others,
    parameters: {
      ...(parseParameters(parameters) as object),
      ...(SERVICES.includes(values.provider) ? {} : modelParameters(model, temperature, maxTokens)),
    },
    loopVariableId: values.isLoop && loopVariableId !== '' ? Number(loopVariableId) : null,
    loopCount: Number(loopCount) || 1,
    conditions: toConditionInputs(conditions),
  };
}

const RETURN_TYPES = [
  { value: 'TEXT', label: 'Text' },
  { value: 'VARIABLES', label: 'Variables' },
  { value: 'IMAGE', label: 'Image' },
];

export interface MessageFormProps {
  message: Message;
  names: Names;
  isReadOnly: boolean;
}

/** The settings of a message: its model or service, its loop and its conditions. */
export function MessageForm({ message, names, isReadOnly }: MessageFormProps) {
  const form = useForm<Values>({
    initialValues: valuesOf(message),
    validate: {
      parameters: text => {
        const value = parseParameters(text);
        return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'Must be a JSON object.';
      },
    },
  });
  const { submit, isBusy, problem } = useFormMutation(UpdateMessageDocument, {
    form,
    refetchQueries: SCENARIO_QUERIES,
    onDone: (_data, _variables, markSaved) => markSaved(),
  });
  const isDirty = form.isDirty();
  return (
    <form onSubmit={form.onSubmit(values => submit({ id: message.id, input: inputOf(values) }), focusFirstError)}>
      <UnsavedGuard isDirty={() => form.isDirty()} subject={`the message “${message.key}”`} />
      <Stack>
        <TextInput label="Name" required maxLength={255} readOnly={isReadOnly} {...form.getInputProps('key')} />
        <ModelFields form={form} isReadOnly={isReadOnly} />
        <LoopFields form={form} names={names} isReadOnly={isReadOnly} />
        <ConditionsEditor
          names={names}
          isReadOnly={isReadOnly}
          conditions={form.values.conditions}
          name="conditions"
          errors={form.errors}
          onChange={conditions => {
            form.setFieldValue('conditions', conditions);
            form.setErrors(withoutErrorsOf('conditions', form.errors));
          }}
        />
        <FormProblem problem={problem} />
        {!isReadOnly && (
          <Group justify="flex-end" gap="sm">
            {isDirty && (
              <Text fz="sm" c="dimmed" role="status">
                Not saved
              </Text>
            )}
            <Button type="submit" loading={isBusy} disabled={!isDirty}>
              Save message
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

interface FieldsProps {
  form: UseFormReturnType<Values>;
  isReadOnly: boolean;
}

/** An example of the request for each service. */
const REQUEST_EXAMPLES: Readonly<Record<string, string>> = {
  http: 'For example {"method": "POST", "url": "https://…", "body": {"q": "{{ input.prompt }}"}, "result": "{{ previous.json.answer }}"}',
  graphql:
    'For example {"url": "https://…", "query": "query ($q: String!) { … }", "variables": {"q": "{{ input.prompt }}"}}',
  mcp: 'For example {"endpoint_url": "https://…", "tool": "search", "arguments": {"query": "{{ input.prompt }}"}}',
  workflow: 'For example {"workflow_id": 12, "input": {"question": "{{ input.user }}"}}',
};

function ModelFields({ form, isReadOnly }: FieldsProps) {
  const isService = SERVICES.includes(form.values.provider);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <ProviderInput readOnly={isReadOnly} {...form.getInputProps('provider')} />
        {!isService && (
          <>
            <ModelInput readOnly={isReadOnly} {...form.getInputProps('model')} />
            <NumberInput
              label="Temperature"
              placeholder="Default of the model"
              min={0}
              max={2}
              step={0.1}
              decimalScale={2}
              readOnly={isReadOnly}
              {...form.getInputProps('temperature')}
            />
            <NumberInput
              label="Maximum tokens of the answer"
              placeholder="Default of the model"
              min={1}
              allowDecimal={false}
              readOnly={isReadOnly}
              {...form.getInputProps('maxTokens')}
            />
          </>
        )}
      </SimpleGrid>
      <JsonInput
        label={isService ? 'Request' : 'Other parameters'}
        description={isService ? REQUEST_EXAMPLES[form.values.provider] : undefined}
        placeholder="{ }"
        autosize
        minRows={1}
        maxRows={12}
        formatOnBlur
        readOnly={isReadOnly}
        {...form.getInputProps('parameters')}
      />
      <div>
        <Text id="result-kind" fz="sm" fw={600} mb={4}>
          Use the answer as
        </Text>
        <SegmentedControl
          aria-labelledby="result-kind"
          data={RETURN_TYPES}
          disabled={isReadOnly}
          {...form.getInputProps('returnType')}
        />
      </div>
    </>
  );
}

function LoopFields({ form, names, isReadOnly }: FieldsProps & { names: Names }) {
  const { isLoop, loopVariableId } = form.values;
  const variables = names.variables.map(({ id, key }) => ({ value: String(id), label: key }));
  return (
    <>
      <Switch
        label="Loop: send it several times"
        disabled={isReadOnly}
        {...form.getInputProps('isLoop', { type: 'checkbox' })}
      />
      {isLoop && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label="Once for each value of"
            data={[{ value: '', label: 'A number of rounds' }, ...variables]}
            allowDeselect={false}
            searchable
            limit={MAX_OPTIONS}
            disabled={isReadOnly}
            {...form.getInputProps('loopVariableId')}
          />
          {loopVariableId === '' && (
            <NumberInput
              label="Rounds"
              min={1}
              max={1000}
              allowDecimal={false}
              readOnly={isReadOnly}
              {...form.getInputProps('loopCount')}
            />
          )}
        </SimpleGrid>
      )}
      <Switch
        label="Asynchronous: later messages do not wait for it"
        disabled={isReadOnly}
        {...form.getInputProps('isAsync', { type: 'checkbox' })}
      />
    </>
  );
}
