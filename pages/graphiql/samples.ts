import {
  type GraphQLArgument,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
} from 'graphql';

const SCALARS: Record<string, unknown> = {
  Boolean: true,
  DateTime: '2030-01-01T00:00:00.000Z',
  Decimal: '1',
  Float: 1,
  ID: '1',
  Int: 1,
  JSON: {},
  UUID: '00000000-0000-0000-0000-000000000000',
};

/** Returns a valid value of an input type. An input object contains only its required members. */
export function sampleOf(inputType: GraphQLInputType): unknown {
  const type = getNullableType(inputType);
  if (isListType(type)) return [sampleOf(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (!isInputObjectType(type)) return SCALARS[type.name] ?? '…';
  const fields = Object.values(type.getFields());
  const required = type.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
  return Object.fromEntries(required.map(field => [field.name, sampleOf(field.type)]));
}

/** Returns true if the value of an argument is a file. */
export function takesFiles({ type }: GraphQLArgument): boolean {
  return getNamedType(type).name === 'Upload';
}
