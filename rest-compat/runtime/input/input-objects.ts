import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parseType,
  TypeInfo,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';

export interface RewrittenDocument {
  readonly document: DocumentNode;
  /** Maps the variables of the original document to those of the rewritten one. */
  readonly variables: (original: Record<string, unknown>) => Record<string, unknown>;
}

/**
 * Replaces every object or list argument that contains variables by one variable with the complete value. graphql-jit would
 * set members of absent variables to null, whereas GraphQL omits them: a PATCH would clear all members that it omits.
 */
export function liftInputObjects(schema: GraphQLSchema, document: DocumentNode): RewrittenDocument {
  const replaced: { name: string; type: string; value: ValueNode }[] = [];
  const typeInfo = new TypeInfo(schema);
  const rewritten = visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Argument(node) {
        const argument = typeInfo.getArgument();
        if (!argument || !isCompound(node.value) || !hasVariable(node.value)) return undefined;
        const name = `whole_${replaced.length + 1}_${node.name.value}`;
        replaced.push({ name, type: argument.type.toString(), value: node.value });
        return { ...node, value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } } };
      },
    }),
  );
  const used = usedVariables(rewritten);
  return {
    document: visit(rewritten, {
      OperationDefinition: node => ({
        ...node,
        variableDefinitions: [
          ...(node.variableDefinitions ?? []).filter(definition => used.has(definition.variable.name.value)),
          ...replaced.map(whole => definitionOf(whole.name, whole.type)),
        ],
      }),
    }) as DocumentNode,
    variables: original => {
      const values: Record<string, unknown> = {};
      for (const name of used) if (Object.hasOwn(original, name)) values[name] = original[name];
      for (const whole of replaced) values[whole.name] = literalValue(whole.value, original);
      return values;
    },
  };
}

function isCompound(node: ValueNode): boolean {
  return node.kind === Kind.OBJECT || node.kind === Kind.LIST;
}

function hasVariable(node: ValueNode): boolean {
  if (node.kind === Kind.VARIABLE) return true;
  if (node.kind === Kind.LIST) return node.values.some(hasVariable);
  return node.kind === Kind.OBJECT && node.fields.some(field => hasVariable(field.value));
}

function usedVariables(document: DocumentNode): Set<string> {
  const names = new Set<string>();
  visit(document, {
    VariableDefinition() {
      return false;
    },
    Variable: node => {
      names.add(node.name.value);
    },
  });
  return names;
}

function definitionOf(name: string, type: string): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
    type: parseType(type),
  };
}

/** The value of a literal. An absent variable is undefined: an object omits such a member, a list contains null instead. */
function literalValue(node: ValueNode, original: Record<string, unknown>): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return Object.hasOwn(original, node.name.value) ? original[node.name.value] : undefined;
    case Kind.LIST:
      return node.values.map(item => literalValue(item, original) ?? null);
    case Kind.OBJECT: {
      const members = node.fields.map(field => [field.name.value, literalValue(field.value, original)] as const);
      return Object.fromEntries(members.filter(([, value]) => value !== undefined));
    }
    default:
      return valueFromASTUntyped(node);
  }
}

/** The operation of a document. @throws Error when there is none. */
export function operationOf(document: DocumentNode): OperationDefinitionNode {
  const operation = document.definitions.find(definition => definition.kind === Kind.OPERATION_DEFINITION);
  if (!operation) throw new Error('the document contains no operation');
  return operation;
}

/** The fragments of a document by name. */
export function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  return new Map(
    document.definitions.flatMap(definition =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
}
