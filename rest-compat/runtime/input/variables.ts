import type { IncomingHttpHeaders } from 'node:http';
import { RestFault } from '../errors.js';
import { Faults } from './faults.js';
import { type Input, sentName } from './inputs.js';
import { readQuery, valueOfText } from './query-text.js';
import { readValue, requiredMessage } from './read-value.js';

export interface RequestInput {
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads the path parameters. An invalid one is reported as 404 before the body is read. @throws RestFault NOT_FOUND. */
export function readPath(inputs: readonly Input[], path: RequestInput['path']): Record<string, unknown> {
  const faults = new Faults();
  const values: Record<string, unknown> = {};
  for (const input of inputs) {
    if (input.place !== 'path') continue;
    values[input.name] = readValue(
      input.type,
      valueOfText(input.type, path[input.name] ?? ''),
      input.name,
      input,
      faults,
    );
  }
  try {
    faults.throwIfAny();
  } catch {
    throw new RestFault('NOT_FOUND');
  }
  return values;
}

/**
 * Reads the variables from query, headers and body. A variable that is not in the request and has no default is absent, which
 * differs from null.
 * @throws RestFault with all faults.
 */
export function readVariables(inputs: readonly Input[], sent: Omit<RequestInput, 'path'>): Record<string, unknown> {
  const faults = new Faults();
  const values: Record<string, unknown> = {};
  const query = readQuery(inputs, sent.query);
  for (const input of inputs) {
    if (input.place === 'path') continue;
    if (input.header !== null) {
      const text = sent.headers[input.header.toLowerCase()];
      if (text !== undefined && text !== '')
        values[input.name] = readValue(input.type, valueOfText(input.type, String(text)), input.header, input, faults);
      else if (input.isRequired) faults.add(input.header, requiredMessage);
      continue;
    }
    const isQuery = input.place === 'query';
    const at = sentName(input, name => (isQuery ? query.has(name) : Object.hasOwn(sent.body, name)));
    if (at === undefined) {
      if (input.isRequired) faults.add(input.name, requiredMessage);
      else if (input.fallback !== undefined) values[input.name] = input.fallback;
      continue;
    }
    const value = isQuery ? query.get(at) : sent.body[at];
    values[input.name] = input.place === 'whole' ? value : readValue(input.type, value, at, input, faults);
  }
  faults.throwIfAny();
  return values;
}
