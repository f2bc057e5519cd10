import { type FieldNode, Kind, OperationTypeNode, parse, print, visit } from 'graphql';

interface PayloadError {
  code: string;
  message: string;
  path: string[];
}
type GraphQLError = { message: string; extensions: Record<string, any>; path?: (string | number)[] };
interface Answer {
  data?: Record<string, any> | null;
  errors?: GraphQLError[];
}

const ALIAS = 'refusals';
const SELECTION = (
  parse(`{ ${ALIAS}: errors { code message path } }`).definitions[0] as { selectionSet: FieldNode['selectionSet'] }
).selectionSet!.selections;

/** Adds the errors of the payloads to mutations that do not select them. Other texts stay as they are. */
export function withPayloadErrors(query: string): string {
  if (!query.includes('mutation')) return query;
  let document: ReturnType<typeof parse>;
  try {
    document = parse(query);
  } catch {
    return query;
  }
  return print(
    visit(document, {
      OperationDefinition: node => {
        if (node.operation !== OperationTypeNode.MUTATION) return false;
        const selections = node.selectionSet.selections.map(field =>
          field.kind === Kind.FIELD && field.selectionSet && !selects(field, 'errors')
            ? {
                ...field,
                selectionSet: { ...field.selectionSet, selections: [...field.selectionSet.selections, ...SELECTION] },
              }
            : field,
        );
        return { ...node, selectionSet: { ...node.selectionSet, selections } };
      },
    }),
  );
}

function selects({ selectionSet }: FieldNode, name: string): boolean {
  return selectionSet?.selections.some(one => one.kind === Kind.FIELD && one.name.value === name) ?? false;
}

/**
 * Adds the errors of payloads without a value to the errors of the answer, in the form of top-level errors: one per mutation, with the
 * messages by member in `extensions.fields`. Tests read refusals and other errors in one way.
 */
export function readPayloadErrors<T extends Answer>(answer: T): T {
  const refusals: GraphQLError[] = [];
  for (const [name, payload] of Object.entries(answer.data ?? {})) {
    const errors: PayloadError[] | undefined = payload?.[ALIAS];
    if (!errors) continue;
    delete payload[ALIAS];
    const isRefused = errors.length > 0 && Object.values(payload).every(value => value === null);
    if (isRefused) refusals.push(topLevelError(name, errors));
  }
  return refusals.length > 0 ? { ...answer, errors: [...(answer.errors ?? []), ...refusals] } : answer;
}

function topLevelError(name: string, errors: readonly PayloadError[]): GraphQLError {
  const [{ code, message }] = errors as [PayloadError];
  if (code !== 'BAD_USER_INPUT') return { message, extensions: { code }, path: [name] };
  const byMember = Map.groupBy(errors, ({ path }) => (path.length === 0 ? 'nonFieldErrors' : path.join('.')));
  const fields = Object.fromEntries([...byMember].map(([key, of]) => [key, of.map(error => error.message)]));
  return { message: 'The input is invalid.', extensions: { code, fields }, path: [name] };
}
