import { GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { GraphQLDateTime, GraphQLJSON, GraphQLUUID } from 'graphql-scalars';

export { GraphQLDateTime as DateTime, GraphQLJSON as JSONValue, GraphQLUUID as UUID };

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Exact decimals travel as text; floats never touch money. */
export const Decimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  description:
    'An exact decimal number as normalized text: no exponent, no trailing zeros, `"0"` for zero. Amounts of money are decimals, never floats.',
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
  const text = String(value);
  if (!DECIMAL.test(text)) throw new TypeError('A decimal number is required.');
  return text;
}
