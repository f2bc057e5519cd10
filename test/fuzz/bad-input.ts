import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import openapi from '../../rest-compat/generated/openapi.json' with { type: 'json' };
import type { SentRequest } from './http-client.js';
import type { JsonSchema, Parameter, RestOperation } from './rest-operations.js';

const ajv = new Ajv2020({ strict: false });
ajv.addFormat('int32', { type: 'number', validate: isInt32 });
ajv.addFormat('date', text => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(`${text}T`) ?? false);
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
// Offsets and fewer digits are accepted as well; a text that names no moment is not.
ajv.addFormat('date-time', value => !Number.isNaN(Date.parse(value)));

const MAX_DEPTH = 64;
const validators = new Map<RestOperation, ValidateFunction>();

/** Why the declaration of the request requires a refusal; null: it does not. */
export function badInput(operation: RestOperation, request: SentRequest): string | null {
  const [path = '', query = ''] = splitOnce(request.path, '?');
  return badPath(operation, path) ?? badQuery(operation, query) ?? badBody(operation, request);
}

function badPath({ route, parameters }: RestOperation, path: string): string | null {
  const names = route.split('/');
  const values = path.split('/');
  for (const [at, name] of names.entries()) {
    const parameter = parameters.find(one => one.in === 'path' && `{${one.name}}` === name);
    if (!parameter) continue;
    const fault = badText(parameter.schema, decoded(values[at] ?? ''));
    if (fault) return `the path's ${parameter.name} ${fault}`;
  }
  return null;
}

function badQuery({ parameters, route }: RestOperation, query: string): string | null {
  const sent = new URLSearchParams(query);
  for (const parameter of parameters.filter(one => one.in === 'query')) {
    // A second name, used only where the first is not sent.
    if (route.endsWith('/workflow_result/') && parameter.name === 'task_id' && sent.has('id')) continue;
    const texts = sent.getAll(parameter.name);
    const { items } = parameter.schema;
    const fault = items
      ? (texts.map(text => badText(items, text)).find(one => one !== null) ?? null)
      : badQueryValue(parameter, texts.at(-1));
    if (fault) return `the query's ${parameter.name} ${fault}`;
  }
  return null;
}

function badQueryValue({ schema, required }: Parameter, text: string | undefined): string | null {
  if (text === undefined) return required ? 'is missing' : null;
  return badText(schema, text);
}

function badText(schema: JsonSchema, text: string | null): string | null {
  if (text === null) return 'is not a text';
  if (schema.type === 'integer' && !/^-?\d{1,15}$/.test(text)) return 'is not an integer';
  if (schema.type === 'boolean') return /^([Tt]rue|[Ff]alse|1|0)$/.test(text) ? null : 'is not a boolean';
  const value = schema.type === 'integer' ? Number(text) : text;
  if (!ajv.validate(schema, value)) return 'is not as declared';
  return isStorable(value) ? null : 'cannot be stored';
}

function badBody(operation: RestOperation, { body, headers }: SentRequest): string | null {
  const { bodySchema, takesRunInput, isPassedOn } = operation;
  if (!bodySchema || headers['Content-Type'] !== 'application/json' || headers['Content-Encoding']) return null;
  if (takesRunInput && (body === undefined || body.trim() === '')) return null;
  const value = parsed(body === undefined || body === '' ? '{}' : body);
  if (value === undefined) return 'the body is not JSON';
  if (depthOf(value) > MAX_DEPTH) return 'the body nests too deep';
  // Of an object with declared members the others are ignored, whatever their values.
  if (!isPassedOn && !isStorable(known(value, bodySchema))) return 'the body cannot be stored';
  let validate = validators.get(operation);
  if (!validate) {
    validate = ajv.compile({ ...bodySchema, components: openapi.components });
    validators.set(operation, validate);
  }
  return validate(value) ? null : `the body is not as declared: ${ajv.errorsText(validate.errors)}`;
}

function known(value: unknown, { properties }: JsonSchema): unknown {
  if (!properties || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value)
    .filter(([name]) => Object.hasOwn(properties, name))
    .map(([, member]) => member);
}

function isStorable(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string' && (next.includes('\0') || !next.isWellFormed())) return false;
    if (typeof next === 'number' && !Number.isFinite(next)) return false;
    if (typeof next === 'object' && next !== null) open.push(...Object.keys(next), ...Object.values(next));
  }
  return true;
}

function depthOf(value: unknown): number {
  let depth = 0;
  for (let level = [value]; ; depth++) {
    const nested = level.filter(item => typeof item === 'object' && item !== null);
    if (nested.length === 0) return depth;
    level = nested.flatMap(item => Object.values(item as object));
  }
}

function parsed(text: string): unknown {
  try {
    // A byte order mark at the start of a body is removed.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
