import {
  type ConstValueNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

export interface QueryWeight {
  /** Nesting of fields. */
  depth: number;
  /** Fields with an alias. */
  aliases: number;
  /** Estimated number of values in the response: each field counts once for each item of the enclosing lists. */
  cost: number;
}

/** Assumed items of a list without a size argument. */
const DEFAULT_LIST_ITEMS = 10;
/** The largest page. Larger sizes are rejected during validation of the arguments. */
const MAX_SIZE = 100;
/** Arguments that set the number of items. A connection has `first` and `last`, of which a caller sends one. */
const SIZES = ['size', 'limit', 'first', 'last'];
const NOTHING: QueryWeight = { depth: 0, aliases: 0, cost: 0 };

/**
 * Computes the weight of an operation before validation. Each fragment is measured once, so spreads take linear time. Introspection
 * fields count as 1: a validation rule of graphql-js bounds their depth, and the limit of tokens bounds their number.
 */
export function measureQuery(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Readonly<Record<string, unknown>>,
): QueryWeight {
  const weigher = new OperationWeigher(schema, operation, fragments, variables);
  return weigher.ofSelections(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined);
}

class OperationWeigher {
  readonly #fragmentWeights = new Map<string, QueryWeight>();
  readonly #defaults: ReadonlyMap<string, ConstValueNode | undefined>;

  constructor(
    private readonly schema: GraphQLSchema,
    operation: OperationDefinitionNode,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {
    this.#defaults = new Map(
      (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
    );
  }

  ofSelections({ selections }: SelectionSetNode, parent: GraphQLCompositeType | undefined): QueryWeight {
    return selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) return sumWeights(sum, this.#ofField(selection, parent));
      if (selection.kind === Kind.FRAGMENT_SPREAD) return sumWeights(sum, this.#ofFragment(selection.name.value));
      const { typeCondition, selectionSet } = selection;
      const type = typeCondition ? this.#typeNamed(typeCondition.name.value) : parent;
      return sumWeights(sum, this.ofSelections(selectionSet, type));
    }, NOTHING);
  }

  #ofField(field: FieldNode, parent: GraphQLCompositeType | undefined): QueryWeight {
    const name = field.name.value;
    const aliases = field.alias ? 1 : 0;
    if (!field.selectionSet || name.startsWith('__')) return { depth: 1, aliases, cost: 1 };
    const definition = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
    const type = definition && getNamedType(definition.type);
    const nested = this.ofSelections(field.selectionSet, isCompositeType(type) ? type : undefined);
    const times = definition && parent ? this.#itemsOf(field, definition, parent) : 1;
    return { depth: 1 + nested.depth, aliases: aliases + nested.aliases, cost: 1 + times * nested.cost };
  }

  #ofFragment(name: string): QueryWeight {
    const known = this.#fragmentWeights.get(name);
    if (known) return known;
    // Ends the recursion of a cyclic fragment, which validation rejects.
    this.#fragmentWeights.set(name, NOTHING);
    const fragment = this.fragments.get(name);
    if (!fragment) return NOTHING;
    const weight = this.ofSelections(fragment.selectionSet, this.#typeNamed(fragment.typeCondition.name.value));
    this.#fragmentWeights.set(name, weight);
    return weight;
  }

  #typeNamed(name: string): GraphQLCompositeType | undefined {
    const type = this.schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }

  /** The size of a page counts at the page field; the lists within the page or connection do not count again. */
  #itemsOf(field: FieldNode, { args, type }: GraphQLField<unknown, unknown>, parent: GraphQLCompositeType): number {
    const sizeArguments = args.filter(({ name }) => SIZES.includes(name));
    if (sizeArguments.length === 0)
      return isListType(getNullableType(type)) && !/(Page|Connection)$/.test(parent.name) ? DEFAULT_LIST_ITEMS : 1;
    return Math.max(...sizeArguments.map(argument => this.#sizeOf(field, argument)));
  }

  #sizeOf(field: FieldNode, sizeArgument: GraphQLArgument): number {
    const argument = field.arguments?.find(({ name }) => name.value === sizeArgument.name)?.value;
    const isOptional = ['first', 'last'].includes(sizeArgument.name);
    const variable = argument?.kind === Kind.VARIABLE ? argument.name.value : undefined;
    const literal = variable === undefined ? argument : this.#defaults.get(variable);
    const value = variable === undefined ? undefined : this.variables[variable];
    const size = value ?? (literal?.kind === Kind.INT ? Number(literal.value) : sizeArgument.defaultValue);
    if (size == null && isOptional) return DEFAULT_LIST_ITEMS;
    return typeof size === 'number' ? Math.min(Math.max(size, 1), MAX_SIZE) : MAX_SIZE;
  }
}

function sumWeights(one: QueryWeight, other: QueryWeight): QueryWeight {
  return {
    depth: Math.max(one.depth, other.depth),
    aliases: one.aliases + other.aliases,
    cost: one.cost + other.cost,
  };
}
