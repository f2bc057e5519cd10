import type { Input } from '../../runtime/input/inputs.js';
import { exampleValue } from './example-value.js';
import { inputSchema } from './input-schema.js';
import { described, type JsonSchema } from './json-schema.js';

/** The parameters of one variable in a path, a query or a header: its own, and one for each other name it may be sent under. */
export function inputParameters(input: Input, description: string | undefined): JsonSchema[] {
  const { aliases, isRequired, place } = input;
  const name = input.header ?? input.name;
  const schema = inputSchema(input, undefined);
  const example = exampleValue(schema, name, new Map());
  const own = [description, aliases.length > 0 && isRequired && `Required, unless ${aliases.join(' or ')} is sent.`];
  return [
    described(
      { name, in: place, required: isRequired && aliases.length === 0, schema, example },
      own.filter(Boolean).join(' '),
    ),
    ...aliases.map(alias => ({
      name: alias,
      in: place,
      required: false,
      description: `The same as ${name}.`,
      schema,
      example,
    })),
  ];
}
