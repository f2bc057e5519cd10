import { z } from 'zod';
import { schemaFault } from '../../../json-schema/schema-fault.js';
import { valueFault } from '../../../json-schema/value-fault.js';
import { isShallow, type JsonObject, parseJsonText } from '../../../json-value.js';
import { type ModelRequest, PortError } from '../../../ports.js';
import type { FieldForms } from '../../graph/node-form.js';
import type { Execution } from '../../graph/node-kind.js';
import type { SettingMode } from '../../graph/settings.js';
import { callModel } from './model-calls.js';

const schema = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  const message = schemaFault(value);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** The JSON Schema of an answer. */
export const outputSchema = (setting: SettingMode) => setting.value(schema);

/** Description of the setting `output_schema`. */
export const OUTPUT_SCHEMA =
  'JSON Schema (2020-12) of the answer, at most 65536 characters. References stay within the schema, patterns have the syntax of RE2, `format` is not checked.';

/** The setting for the second call. */
export const repairMember = (setting: SettingMode) =>
  setting
    .value(z.boolean())
    .nullish()
    .describe('Whether the model is called once more if its answer does not have the required form. Default true.');

/** Form of `output_schema` and `repair`. */
export const structuredFields: FieldForms = {
  output_schema: { title: 'JSON Schema of the answer', widget: 'json' },
  repair: { title: 'Ask again if the answer does not conform', widget: 'switch', group: 'advanced' },
};

/** A request for JSON that conforms to `schema`. */
export interface StructuredRequest {
  request: ModelRequest;
  schema: JsonObject;
  /** Whether a second call may correct the answer. Default: true. */
  repair?: boolean | null | undefined;
  fallbackModels: readonly string[];
}

/** A conforming answer: its unchanged text and its value. */
export interface StructuredAnswer {
  text: string;
  value: unknown;
}

/**
 * Asks a model for JSON that conforms to a schema. A nonconforming answer is returned to the model once with its fault.
 * Throws the PortError `output_mismatch` with the path of the fault.
 */
export async function askStructured(
  { request, schema: wanted, repair, fallbackModels }: StructuredRequest,
  execution: Pick<Execution<unknown>, 'ports' | 'steps'>,
): Promise<StructuredAnswer> {
  const formatted = withFormat(request, wanted);
  const first = await callModel('model 1', formatted, fallbackModels, execution);
  const checked = check(first.text, wanted);
  if (!('fault' in checked)) return checked;
  if (repair === false) throw mismatch(checked.fault);
  const repairRequest = {
    ...formatted,
    messages: [
      ...formatted.messages,
      { role: 'assistant', content: first.text === '' ? '(no text)' : first.text },
      { role: 'user', content: repairText(checked.fault, wanted) },
    ],
  };
  const second = await callModel('model 2', repairRequest, fallbackModels, execution);
  const repaired = check(second.text, wanted);
  if ('fault' in repaired) throw mismatch(repaired.fault);
  return repaired;
}

/** Sends the schema as `response_format`, unless the settings have one. */
function withFormat(request: ModelRequest, wanted: JsonObject): ModelRequest {
  if (request.settings.response_format !== undefined) return request;
  const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema: wanted } };
  return { ...request, settings: { ...request.settings, response_format } };
}

function check(text: string, wanted: JsonObject): StructuredAnswer | { fault: string } {
  const value = parseJsonText(text);
  if (value === undefined || !isShallow(value)) return { fault: 'must be JSON' };
  const fault = valueFault(value, wanted);
  return fault === undefined ? { text, value } : { fault };
}

function repairText(fault: string, wanted: JsonObject): string {
  return `The answer does not conform to the JSON Schema: ${fault}. Answer again with only the corrected JSON. The JSON Schema: ${JSON.stringify(wanted)}`;
}

function mismatch(fault: string): PortError {
  return new PortError('output_mismatch', `the answer of the model does not conform to output_schema: ${fault}`);
}
