import {
  type DocumentNode,
  extendSchema,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoUnusedFragmentsRule,
  type OperationDefinitionNode,
  parse,
  Source,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { checkOperation } from './check-operation.js';
import type { OperationFile, OperationSource } from './operation-source.js';

export interface OperationsResult {
  readonly operations: readonly OperationSource[];
  /** One line per fault, with file and operation. Nothing is generated if there are any. */
  readonly faults: readonly string[];
}

/** Parses and checks all operations. Fragments are shared between files. */
export function readOperations(
  schema: GraphQLSchema,
  directives: string,
  files: readonly OperationFile[],
): OperationsResult {
  const full = extendSchema(schema, parse(directives));
  const faults: string[] = [];
  const { fragments, definitions } = readDefinitions(files, faults);
  const operations: OperationSource[] = [];
  const usedKeys = new Set<string>();
  for (const { file, definition } of definitions) {
    const at = `${file.name}: ${definition.name?.value ?? 'an operation without a name'}`;
    const document = withFragments(definition, fragments);
    const invalid = validate(full, document, rules);
    faults.push(...invalid.map(error => `${at}: ${oneLine(error)}`));
    if (invalid.length > 0) continue;
    const checked = checkOperation(full, file, definition, document);
    if ('faults' in checked) {
      faults.push(...checked.faults.map(fault => `${at}: ${fault}`));
      continue;
    }
    const { method, path, operation } = checked.route;
    for (const key of [`operation ${operation}`, `route ${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`]) {
      if (usedKeys.has(key)) faults.push(duplicate(file, key));
      usedKeys.add(key);
    }
    operations.push(checked);
  }
  faults.push(...unusedFragments(fragments, operations, faults.length > 0));
  return { operations: operations.toSorted(byPathThenMethod), faults };
}

interface Definitions {
  readonly fragments: Map<string, FragmentDefinitionNode>;
  readonly definitions: { readonly file: OperationFile; readonly definition: OperationDefinitionNode }[];
}

/** Collects the operations and fragments of all files. Other definitions and duplicate fragments are added to `faults`. */
function readDefinitions(files: readonly OperationFile[], faults: string[]): Definitions {
  const fragments: Definitions['fragments'] = new Map();
  const definitions: Definitions['definitions'] = [];
  for (const file of files) {
    for (const definition of parseFile(file, faults)?.definitions ?? []) {
      if (definition.kind === Kind.OPERATION_DEFINITION) definitions.push({ file, definition });
      else if (definition.kind !== Kind.FRAGMENT_DEFINITION) faults.push(`${file.name}: only operations and fragments`);
      else if (fragments.has(definition.name.value)) faults.push(duplicate(file, `fragment ${definition.name.value}`));
      else fragments.set(definition.name.value, definition);
    }
  }
  return { fragments, definitions };
}

const rules = specifiedRules.filter(rule => rule !== NoUnusedFragmentsRule);

function parseFile(file: OperationFile, faults: string[]): DocumentNode | null {
  try {
    return parse(new Source(file.text, file.name));
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    faults.push(`${file.name}: ${oneLine(error)}`);
    return null;
  }
}

function oneLine(error: GraphQLError): string {
  const location = error.locations?.[0];
  return `${error.message.replaceAll(/\s+/g, ' ')}${location ? ` (line ${location.line})` : ''}`;
}

function duplicate(file: OperationFile, what: string): string {
  return `${file.name}: ${what} is defined twice`;
}

/** The operation and the fragments that it uses, sorted by name, so that the printed document is deterministic. */
function withFragments(
  definition: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): DocumentNode {
  const reached = new Set<string>();
  const reach = (node: OperationDefinitionNode | FragmentDefinitionNode) => {
    visit(node, {
      FragmentSpread(spread) {
        const name = spread.name.value;
        const fragment = fragments.get(name);
        if (reached.has(name) || !fragment) return;
        reached.add(name);
        reach(fragment);
      },
    });
  };
  reach(definition);
  const used = [...reached].toSorted().flatMap(name => fragments.get(name) ?? []);
  return { kind: Kind.DOCUMENT, definitions: [definition, ...used] };
}

function unusedFragments(
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  operations: readonly OperationSource[],
  isIncomplete: boolean,
): string[] {
  if (isIncomplete) return [];
  const used = new Set(operations.flatMap(operation => [...operation.fragments.keys()]));
  return [...fragments.keys()].filter(name => !used.has(name)).map(name => `fragment ${name} is used by no operation`);
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function byPathThenMethod(a: OperationSource, b: OperationSource): number {
  // A fixed segment sorts before a parameter, because `{` sorts after every letter.
  if (a.route.path !== b.route.path) return a.route.path < b.route.path ? -1 : 1;
  return methods.indexOf(a.route.method) - methods.indexOf(b.route.method);
}
