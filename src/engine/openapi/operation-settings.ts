import { isObject, type JsonObject } from '../json-value.js';
import type { NamedOperation } from './read-document.js';
import type { OperationArgument } from './read-operation.js';

/** Where the operations of a document are called. */
export interface OperationTarget {
  /** Absolute base URL without a trailing slash, or empty: that of the connection. */
  baseUrl: string;
  connectionId: number | null;
}

type CallableOperation = Pick<
  NamedOperation,
  'name' | 'method' | 'path' | 'summary' | 'description' | 'parameters' | 'arguments' | 'body'
>;

const MAX_TOOL_DESCRIPTION = 2000;
const MAX_BODY_MEMBERS = 50;

/** Returns an HTTP tool of an agent that calls the operation with typed arguments. */
export function toolSettings(operation: CallableOperation, target: OperationTarget): JsonObject {
  const { name, method, path, summary, description, parameters } = operation;
  const texts = [summary, description].filter(text => text !== '');
  return {
    kind: 'http',
    name,
    description: (texts.join('\n\n') || `${method} ${path}`).slice(0, MAX_TOOL_DESCRIPTION),
    parameters,
    request: requestSettings(operation, target, 'args'),
  };
}

/** Returns the settings of an HTTP node that sends the operation with fields of the input. */
export function nodeSettings(operation: CallableOperation, target: OperationTarget): JsonObject {
  return requestSettings(operation, target, 'input');
}

function requestSettings(
  operation: CallableOperation,
  { baseUrl, connectionId }: OperationTarget,
  root: 'args' | 'input',
) {
  const { method, path, arguments: all, body } = operation;
  const at = (place: OperationArgument['place']) => all.filter(each => each.place === place);
  const byName = new Map(at('path').map(each => [each.requestName, each]));
  const url = path.replace(/\{([^{}]*)\}/g, (placeholder, name: string) => {
    const found = byName.get(name);
    return found ? `{{ url_segment(text(${valueText(found, root)})) }}` : placeholder;
  });
  const members = (list: OperationArgument[]) =>
    Object.fromEntries(list.map(each => [each.requestName, placeholderOf(each, root)]));
  const headers = { ...members(at('header')), ...(body === 'form' ? { 'Content-Type': FORM } : {}) };
  let sent: unknown;
  if (body === 'json') sent = jsonBody(operation, root);
  else if (body === 'form') sent = formBody(at('form'), root);
  return {
    method,
    url: `${baseUrl}${url}`,
    ...(connectionId === null ? {} : { connection_id: connectionId }),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(at('query').length > 0 ? { params: members(at('query')) } : {}),
    ...(sent === undefined ? {} : { body: sent }),
  };
}

const FORM = 'application/x-www-form-urlencoded';

/** Returns the expression of the value of an argument. */
function valueText({ name, isJoined }: OperationArgument, root: string): string {
  return isJoined ? `join(${root}.${name}, ",")` : `${root}.${name}`;
}

/** An argument without a value is omitted from the request. */
function placeholderOf(argument: OperationArgument, root: string): string {
  const value = valueText(argument, root);
  return argument.isRequired ? `{{ ${value} }}` : `{{ is_empty(${root}.${argument.name}) ? null : ${value} }}`;
}

function formBody(members: OperationArgument[], root: string): string {
  return members
    .map((member, index) => {
      const separator = index > 0 ? '&' : '';
      const name = `${separator}${encodeURIComponent(member.requestName)}=`;
      if (member.isRepeated) return `{{ ${repeatedMember(member, root, separator)} }}`;
      const value = `url_encode(text(${valueText(member, root)}))`;
      if (member.isRequired) return `${name}{{ ${value} }}`;
      return `{{ is_empty(${root}.${member.name}) ? "" : "${name}" + ${value} }}`;
    })
    .join('');
}

/** Returns the expression of a member for each item of a list. Its schema may also allow a value that is not a list. */
function repeatedMember({ name, requestName }: OperationArgument, root: string, separator: string): string {
  const items = `flatten([${root}.${name}])`;
  const member = `x => "${encodeURIComponent(requestName)}=" + url_encode(text(x))`;
  return `is_empty(${root}.${name}) ? "" : "${separator}" + join(map(${items}, ${member}), "&")`;
}

/** The body of a tool is one argument; that of a node is a template of its members. */
function jsonBody({ parameters }: CallableOperation, root: 'args' | 'input'): unknown {
  const { required } = parameters;
  const isRequired = Array.isArray(required) && required.includes('body');
  const whole = isRequired ? `{{ ${root}.body }}` : `{{ is_empty(${root}.body) ? null : ${root}.body }}`;
  const shown = root === 'args' ? [] : bodyMembers(bodySchema(parameters));
  if (shown.length === 0 || !shown.every(each => /^[A-Za-z_][A-Za-z0-9_]*$/.test(each))) return whole;
  return Object.fromEntries(shown.map(each => [each, `{{ input.${each} }}`]));
}

function bodySchema({ properties, $defs }: JsonObject): unknown {
  const body = isObject(properties) ? properties.body : undefined;
  if (!isObject(body) || typeof body.$ref !== 'string' || !isObject($defs)) return body;
  const name = body.$ref.slice('#/$defs/'.length);
  return Object.hasOwn($defs, name) ? $defs[name] : undefined;
}

/** The required members of a body, or all if none is required. */
function bodyMembers(schema: unknown): string[] {
  if (!isObject(schema) || !isObject(schema.properties)) return [];
  const names = Object.keys(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return (required.length > 0 ? names.filter(each => required.includes(each)) : names).slice(0, MAX_BODY_MEMBERS);
}
