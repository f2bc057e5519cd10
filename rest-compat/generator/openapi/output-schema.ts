import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { directiveArguments } from '../../runtime/input/ast-directive.js';
import { restNamesOf } from '../../runtime/input/inputs.js';
import { componentSchema, type JsonSchema, leafSchema, restText, toNullable, withDescription } from './json-schema.js';

/** Derives response schemas from selections. A selection of a single fragment becomes a component with the fragment's name. */
export class OutputSchemas {
  readonly components = new Map<string, JsonSchema>();
  readonly #schema: GraphQLSchema;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** The schema of a selected field. `isNeverNull`: the response omits a null instead of sending it. */
  of(
    field: FieldNode,
    type: GraphQLOutputType,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    isNeverNull = false,
  ): JsonSchema {
    if (!isNonNullType(type)) {
      const schema = this.#nonNull(field, type, fragments);
      return isNeverNull ? schema : toNullable(schema);
    }
    return this.#nonNull(field, type.ofType, fragments);
  }

  #nonNull(
    field: FieldNode,
    type: GraphQLOutputType,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ): JsonSchema {
    if (isListType(type)) return { type: 'array', items: this.of(field, type.ofType, fragments) };
    const named = getNamedType(type);
    if (isEnumType(named)) return { type: 'string', enum: [...new Set(restNamesOf(field, named).values())] };
    if (isLeafType(named)) return leafSchema(named);
    const selections = field.selectionSet?.selections ?? [];
    const [only] = selections;
    if (selections.length === 1 && only?.kind === Kind.FRAGMENT_SPREAD)
      return this.#component(only.name.value, fragments);
    return field.selectionSet ? this.#object(field.selectionSet, named, fragments) : {};
  }

  #component(name: string, fragments: ReadonlyMap<string, FragmentDefinitionNode>): JsonSchema {
    const fragment = fragments.get(name);
    const type = fragment && this.#schema.getType(fragment.typeCondition.name.value);
    if (fragment && type && !this.components.has(name)) {
      this.components.set(
        name,
        withDescription(this.#object(fragment.selectionSet, type, fragments), restText(type.description)),
      );
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #object(
    selection: SelectionSetNode,
    type: GraphQLNamedType,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ): JsonSchema {
    const members = this.#members(selection, type, fragments);
    const required = members.filter(member => !member.isOptional).map(member => member.name);
    return {
      type: 'object',
      properties: Object.fromEntries(members.map(member => [member.name, member.schema])),
      ...(required.length > 0 && { required }),
    };
  }

  #members(
    selection: SelectionSetNode,
    type: GraphQLNamedType,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ): Member[] {
    return selection.selections.flatMap(node => {
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(node.name.value);
        const on = fragment && this.#schema.getType(fragment.typeCondition.name.value);
        return fragment && on ? this.#members(fragment.selectionSet, on, fragments) : [];
      }
      if (node.kind === Kind.INLINE_FRAGMENT) {
        const on = node.typeCondition && this.#schema.getType(node.typeCondition.name.value);
        return this.#members(node.selectionSet, on ?? type, fragments);
      }
      return isObjectType(type) && !isHeader(node) ? this.#member(node, type, fragments) : [];
    });
  }

  #member(node: FieldNode, type: GraphQLObjectType, fragments: ReadonlyMap<string, FragmentDefinitionNode>): Member[] {
    const field = type.getFields()[node.name.value];
    if (!field) return [];
    const isOptional = directiveArguments(node, 'omitNull') !== null;
    const value = jsonComponent(node, field.type, isOptional) ?? this.of(node, field.type, fragments, isOptional);
    const schema = withDescription(value, restText(field.description));
    return [{ name: (node.alias ?? node.name).value, schema, isOptional }];
  }
}

/** A member of an object in a response. */
interface Member {
  name: string;
  schema: JsonSchema;
  isOptional: boolean;
}

/** Whether the member is sent as a header instead. */
function isHeader(node: FieldNode): boolean {
  return directiveArguments(node, 'etag') !== null;
}

/** The component that the directive `@jsonSchema` of a field names; null without the directive. */
function jsonComponent(node: FieldNode, type: GraphQLOutputType, isNeverNull: boolean): JsonSchema | null {
  const name = directiveArguments(node, 'jsonSchema')?.name;
  return typeof name === 'string' ? componentSchema(name, isNonNullType(type) || isNeverNull) : null;
}
