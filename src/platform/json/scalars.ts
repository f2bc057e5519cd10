import { GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { GraphQLDateTime, GraphQLJSON, GraphQLUUID } from 'graphql-scalars';

export const JSONValue = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  description:
    'Any JSON value. Used only where no type can describe the members: values by field or node id, settings by kind of node, contents of runs, and documents of others such as JSON Schemas, tools of MCP servers and parameters of model providers.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  // A literal gives objects without a prototype, which differ from those of a variable in a deep comparison.
  parseLiteral: (node, variables) => structuredClone(GraphQLJSON.parseLiteral(node, variables)),
});

export const DateTime = new GraphQLScalarType({
  ...GraphQLDateTime.toConfig(),
  description: 'A time in UTC: ISO 8601 with milliseconds and `Z`, for example `2026-01-31T09:30:00.000Z`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
});

/** A UUID in upper case becomes lower case, the form in which PostgreSQL returns it. */
export const UUID = new GraphQLScalarType<string, string>({
  ...GraphQLUUID.toConfig(),
  parseValue: value => GraphQLUUID.parseValue(value).toLowerCase(),
  parseLiteral: node => GraphQLUUID.parseLiteral(node).toLowerCase(),
  description: 'A UUID in its form with 36 characters, for example `01a1fccb-9230-75ea-ba42-63354d598bf1`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
});

/** Headers of an outbound request by name. Null omits a header. */
export type HttpHeaders = Record<string, string | number | boolean | null>;

const MAX_HEADERS = 100;

/** The form of headers. Names and values that HTTP does not permit are reported by the call that sends them. */
export const HttpHeadersValue = new GraphQLScalarType<HttpHeaders, HttpHeaders>({
  name: 'HttpHeaders',
  description:
    'Headers of an HTTP request: an object with at most 100 names, whose values are texts, numbers, booleans or null. Null omits the header. Example: `{"Authorization": "Bearer secret"}`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9110#name-fields',
  serialize: parseHeaders,
  parseValue: parseHeaders,
  parseLiteral: (node, variables) => parseHeaders(JSONValue.parseLiteral(node, variables)),
});

function parseHeaders(value: unknown): HttpHeaders {
  if (!isHttpHeaders(value))
    throw new TypeError('Headers are an object of at most 100 names with texts, numbers, booleans or null as values.');
  return value;
}

function isHttpHeaders(value: unknown): value is HttpHeaders {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const members = Object.values(value);
  return (
    members.length <= MAX_HEADERS &&
    members.every(member => member === null || ['string', 'number', 'boolean'].includes(typeof member))
  );
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Exact decimals are texts, because floating-point numbers must not represent money. */
export const Decimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  description:
    'An exact decimal number as normalized text: no exponent, no trailing zeros, `"0"` for zero. Example: `"12.5"`. Amounts of money are decimals, never floating-point numbers.',
  specifiedByURL: 'https://www.w3.org/TR/xmlschema-2/#decimal',
  serialize: value => String(value),
  parseValue: parseDecimal,
  parseLiteral: (node: ValueNode) => {
    if (node.kind === Kind.STRING || node.kind === Kind.INT || node.kind === Kind.FLOAT)
      return parseDecimal(node.value);
    throw new TypeError('A decimal number is required.');
  },
});

function parseDecimal(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (!DECIMAL.test(text)) throw new TypeError('A decimal number is required.');
  return text;
}

/** A calendar day, kept as its original text. */
export const CalendarDate = new GraphQLScalarType<string, string>({
  name: 'Date',
  description: 'A day in UTC: `YYYY-MM-DD`, for example `2026-01-31`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: value => String(value),
  parseValue: parseDate,
  parseLiteral: (node: ValueNode) => parseDate(node.kind === Kind.STRING ? node.value : null),
});

function parseDate(value: unknown): string {
  // PostgreSQL has no year 0.
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !value.startsWith('0000');
  const day = isDay ? new Date(`${value}T00:00:00Z`) : null;
  // JavaScript silently converts 30 February to a day in March.
  if (!day || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== value)
    throw new TypeError('A date in the format YYYY-MM-DD is required.');
  return value as string;
}
