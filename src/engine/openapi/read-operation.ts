import { resolveReference } from '../json-schema/keywords.js';
import { schemaFault } from '../json-schema/schema-fault.js';
import { isObject, type JsonObject, setOwn } from '../json-value.js';
import { storable } from '../storable.js';
import { numberedName } from '../text/numbered-name.js';
import { OpenApiError } from './open-api-error.js';
import { SchemaReader, SchemaTooLarge } from './schema-reader.js';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Maximum number of characters of the JSON Schema of the arguments. Larger ones are simplified. */
const MAX_PARAMETERS = 32_768;
const MAX_ARGUMENTS = 100;
const MAX_SUMMARY = 300;
const MAX_DESCRIPTION = 4000;
const MAX_HOPS = 20;
/** Headers that the request sets itself (OpenAPI 3.1, section 4.8.12). */
const OWN_HEADERS = new Set(['accept', 'content-type', 'authorization']);
const NAME = /^[A-Za-z0-9_.$[\]@:-]{1,100}$/;

/** Where a request contains an argument. */
export interface OperationArgument {
  /** The name of the argument, an identifier. */
  name: string;
  /** The name in the request. */
  requestName: string;
  place: 'path' | 'query' | 'header' | 'form';
  isRequired: boolean;
  /** Items of a list are joined by commas instead of repeated. */
  isJoined: boolean;
  /** Each item of a list is a member of the form. Operations that an earlier version imported do not have it. */
  isRepeated?: boolean;
}

/** An operation of an API, without its server. */
export interface Operation {
  operationId: string | null;
  method: (typeof METHODS)[number];
  path: string;
  summary: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: JsonObject;
  arguments: OperationArgument[];
  /** Media type of the body. `json`: the argument `body`. Null: no body. */
  body: 'json' | 'form' | null;
}

interface Place {
  path: string;
  method: Operation['method'];
  item: JsonObject;
}

/** Reads an operation. Throws an OpenApiError with the reason why it cannot be called. */
export function readOperation(document: JsonObject, { path, method, item }: Place): Operation {
  if (path.length > 1000 || /\{\{|\}\}|[?#\\\s\0]|^\/\//.test(path))
    throw new OpenApiError('the path is not supported');
  const operation = item[method.toLowerCase()] as JsonObject;
  const builder = new ArgumentsBuilder(document);
  for (const parameter of parametersOf(document, item, operation)) builder.addParameter(parameter);
  const body = builder.addBody(operation.requestBody);
  for (const [, name] of path.matchAll(/\{([^{}]*)\}/g))
    if (!builder.arguments.some(({ place, requestName }) => place === 'path' && requestName === name))
      throw new OpenApiError(`the path parameter ${name} is not described`);
  const { operationId, summary, description } = operation;
  return {
    operationId: typeof operationId === 'string' ? plainText(operationId, 255) : null,
    method,
    path,
    summary: plainText(summary, MAX_SUMMARY),
    description: plainText(description, MAX_DESCRIPTION),
    parameters: withoutTemplates(builder.parameters()) as JsonObject,
    arguments: builder.arguments,
    body,
  };
}

/** Parameters of the operation replace those of its path with the same name and place. */
function parametersOf(document: JsonObject, item: JsonObject, operation: JsonObject): JsonObject[] {
  const byPlace = new Map<string, JsonObject>();
  for (const list of [item.parameters, operation.parameters]) {
    if (!Array.isArray(list)) continue;
    for (const each of list.slice(0, MAX_ARGUMENTS)) {
      const parameter = dereference(document, each);
      byPlace.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  return [...byPlace.values()];
}

/** Follows references within the document. Throws an OpenApiError if there is no object at their end. */
function dereference(document: JsonObject, value: unknown): JsonObject {
  let current = value;
  for (let hops = 0; isObject(current) && typeof current.$ref === 'string'; hops++) {
    if (!current.$ref.startsWith('#/')) throw new OpenApiError('references to other documents are not supported');
    if (hops === MAX_HOPS) throw new OpenApiError('a reference refers to itself');
    current = resolveReference(document, current.$ref);
  }
  if (!isObject(current)) throw new OpenApiError('a reference refers to a part that does not exist');
  return current;
}

class ArgumentsBuilder {
  readonly arguments: OperationArgument[] = [];
  readonly #properties: JsonObject = {};
  readonly #required: string[] = [];
  readonly #reader: SchemaReader;
  #isSimplified = false;

  constructor(private readonly document: JsonObject) {
    this.#reader = new SchemaReader(document);
  }

  /** Adds a parameter. Throws an OpenApiError if it is required and not supported. */
  addParameter(parameter: JsonObject): void {
    const { in: place, name, required, description, schema, explode } = parameter;
    const isRequired = required === true || place === 'path';
    if (place === 'header' && OWN_HEADERS.has(String(name).toLowerCase())) return;
    const type = isObject(schema) ? typeOf(this.document, schema) : undefined;
    const fault = parameterFault(parameter, type);
    if (fault !== undefined) {
      if (isRequired) throw new OpenApiError(`the required parameter ${String(name).slice(0, 100)} ${fault}`);
      return;
    }
    const isJoined = type === 'array' && (place !== 'query' || explode === false);
    const converted = this.#convert(schema);
    const own = place === 'path' ? segmentSchema(converted) : converted;
    const text = plainText(description, MAX_DESCRIPTION);
    const argument = { requestName: name as string, place: place as OperationArgument['place'], isRequired, isJoined };
    this.#add(argument, text === '' ? own : { ...own, description: text });
  }

  /** Adds the body. Throws an OpenApiError if the operation needs one of an unsupported media type. */
  addBody(requestBody: unknown): Operation['body'] {
    if (requestBody === undefined) return null;
    const { content, required, description } = dereference(this.document, requestBody);
    const types = isObject(content) ? content : {};
    const json = Object.keys(types).find(type => /^application\/(?:[\w.-]+\+)?json(?:;|$)/i.test(type));
    if (json !== undefined) {
      const media = types[json];
      const schema = this.#convert(isObject(media) ? media.schema : {});
      const text = plainText(description, MAX_DESCRIPTION);
      this.#properties.body =
        text === '' || schema.description !== undefined ? schema : { ...schema, description: text };
      if (required === true) this.#required.push('body');
      return 'json';
    }
    const form = types['application/x-www-form-urlencoded'];
    if (isObject(form)) return this.#addForm(form);
    if (required !== true) return null;
    throw new OpenApiError(`bodies of the type ${Object.keys(types).join(', ').slice(0, 200)} are not supported`);
  }

  #addForm({ schema: formSchema, encoding }: JsonObject): 'form' {
    const schema = dereference(this.document, formSchema);
    const required = Array.isArray(schema.required) ? schema.required : [];
    for (const [requestName, property] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
      const isRequired = required.includes(requestName);
      const type = isObject(property) ? typeOf(this.document, property) : undefined;
      const { style, explode } = encodingOf(encoding, requestName);
      if (!NAME.test(requestName) || type === 'object' || (style !== undefined && style !== 'form')) {
        if (isRequired) throw new OpenApiError(`the required member ${requestName.slice(0, 100)} is not supported`);
        continue;
      }
      const isJoined = type === 'array' && explode === false;
      const isRepeated = type === 'array' && !isJoined;
      this.#add({ requestName, place: 'form', isRequired, isJoined, isRepeated }, this.#convert(property));
    }
    return 'form';
  }

  /** The JSON Schema of all arguments. Schemas that are too large or invalid are replaced by their types. */
  parameters(): JsonObject {
    const head = {
      type: 'object',
      properties: this.#properties,
      required: this.#required,
      additionalProperties: false,
    };
    if (!this.#isSimplified) {
      try {
        const definitions = this.#reader.definitions();
        const whole = Object.keys(definitions).length > 0 ? { ...head, $defs: definitions } : head;
        if (JSON.stringify(whole).length <= MAX_PARAMETERS && schemaFault(whole) === undefined) return whole;
      } catch (error) {
        if (!(error instanceof SchemaTooLarge)) throw error;
      }
    }
    const isSegment = (name: string) => this.arguments.some(each => each.name === name && each.place === 'path');
    const properties = Object.entries(this.#properties).map(([name, schema]) => [
      name,
      isSegment(name) ? SAFE_SEGMENT : simplified(name, schema),
    ]);
    return { ...head, properties: Object.fromEntries(properties) };
  }

  #convert(schema: unknown): JsonObject {
    try {
      const converted = this.#reader.convert(schema ?? {});
      return isObject(converted) ? converted : {};
    } catch (error) {
      if (!(error instanceof SchemaTooLarge)) throw error;
      this.#isSimplified = true;
      return {};
    }
  }

  #add(argument: Omit<OperationArgument, 'name'>, schema: JsonObject): void {
    if (this.arguments.length >= MAX_ARGUMENTS) throw new OpenApiError(`it has more than ${MAX_ARGUMENTS} parameters`);
    const plain =
      argument.requestName
        .replace(/[^A-Za-z0-9_]+/g, '_')
        .replace(/^(?=[0-9])/, '_')
        .slice(0, 60) || '_';
    const name = numberedName(plain, each => each === 'body' || Object.hasOwn(this.#properties, each));
    this.arguments.push({ ...argument, name });
    setOwn(this.#properties, name, schema);
    if (argument.isRequired) this.#required.push(name);
  }
}

/** Returns why a parameter is not supported, or undefined. */
function parameterFault({ in: place, name, style, content }: JsonObject, type: unknown): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) return 'has a name that is not supported';
  if (place !== 'path' && place !== 'query' && place !== 'header') return 'is sent as a cookie';
  if (content !== undefined) return 'has a media type of its own, which is not supported';
  const isPlain = style === undefined || style === 'form' || style === 'simple';
  return type === 'object' || !isPlain ? 'has a style that is not supported' : undefined;
}

/** Returns how a member of a form is sent (OpenAPI 3.1, section 4.8.15). */
function encodingOf(encoding: unknown, member: string): JsonObject {
  const own = isObject(encoding) && Object.hasOwn(encoding, member) ? encoding[member] : undefined;
  return isObject(own) ? own : {};
}

/** Values of which the segment of a path would be empty, `.` or `..` and select another path. Lists are joined. */
const SAFE_SEGMENT: JsonObject = { not: { enum: ['', '.', '..', [], [''], ['.'], ['..']] } };

function segmentSchema(schema: JsonObject): JsonObject {
  return { allOf: [schema, SAFE_SEGMENT] };
}

/** Returns the type and a short description in place of a schema. The body can be of any type. */
function simplified(name: string, schema: unknown): JsonObject {
  const { description, type } = isObject(schema) ? schema : ({} as JsonObject);
  const text = typeof description === 'string' ? { description: description.slice(0, 300) } : {};
  return name === 'body' || type === undefined ? text : { type, ...text };
}

function typeOf(document: JsonObject, schema: JsonObject): unknown {
  const { type } = dereference(document, schema);
  return Array.isArray(type) ? type.find(name => name !== 'null') : type;
}

function plainText(value: unknown, max: number): string {
  if (typeof value !== 'string') return '';
  return withoutTemplates(storable(value.slice(0, max).trim())) as string;
}

/**
 * Texts of a document become settings of nodes. They must not be able to name secrets: `{{ env.TOKEN }}`. The second
 * replacement finds the braces that the first leaves adjacent in `{{{`.
 */
function withoutTemplates(value: unknown): unknown {
  if (typeof value === 'string') return storable(value).replaceAll('{{', '{ {').replaceAll('{{', '{ {');
  if (Array.isArray(value)) return value.map(withoutTemplates);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [withoutTemplates(name) as string, withoutTemplates(each)]),
  );
}
