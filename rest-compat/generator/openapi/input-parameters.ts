import type { Input } from '../../runtime/input/inputs.js';
import { exampleValue } from './example-value.js';
import { inputSchema } from './input-schema.js';
import { type JsonSchema, withDescription } from './json-schema.js';

/** The OpenAPI parameters of a variable in a path, query or header: one for its name and one per alias. */
export function inputParameters(input: Input, description: string | undefined): JsonSchema[] {
  const { aliases, isRequired, location } = input;
  const name = input.header ?? input.name;
  const schema = inputSchema(input);
  const example = exampleValue(schema, name, new Map());
  const sentences = [
    description,
    aliases.length > 0 && isRequired && `Required unless the request contains ${aliases.join(' or ')}.`,
  ];
  return [
    withDescription(
      { name, in: location, required: isRequired && aliases.length === 0, schema, example },
      sentences.filter(Boolean).join(' '),
    ),
    ...aliases.map(alias => ({
      name: alias,
      in: location,
      required: false,
      description: `Alias of ${name}.`,
      schema,
      example,
    })),
  ];
}
