import { parseTemplate } from '../../../expressions/template-parser.js';
import { isObject, isUnset, type JsonObject, textOf } from '../../../json-value.js';
import { isSecretField, MASK } from '../../../secrets.js';

/** Placeholder for a removed credential in a copied graph. */
export const FILL_IN = '<fill in>';
/** How a removed placeholder begins in a copied graph. No expression begins with an operator, so validation rejects it. */
export const FILL_IN_PLACEHOLDER = `{{ ${FILL_IN}`;

/** Member names that denote credentials, lower-cased and without punctuation. */
const NAME =
  /authorization|cookie|passw|secret|apikey|accesskey|privatekey|credential|signature|(^|auth|access|refresh|session|csrf|api)token$/;
/** Additional names that denote credentials in headers and query parameters. */
const HEADER = /token|auth|(^|x|api|access|subscription|function)key$|^sig$|session/;
const HEADER_GROUPS = new Set(['headers', 'params']);

/**
 * Formats of well-known credentials: API keys, signed tokens, private keys. Each pattern is bounded, so that matching
 * takes linear time.
 */
const SHAPES = [
  /(?<![\w-])sk-[\w-]{16,}/g,
  /\bgh[pousr]_\w{20,}/g,
  /\bgithub_pat_\w{20,}/g,
  /(?<![\w-])xox[abeoprs]-[\w-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /(?<![\w-])AIza[\w-]{30,}/g,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g,
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]{0,10000}-----END [A-Z ]{0,20}PRIVATE KEY-----/g,
];
const USER_IN_ADDRESS = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#@{}]{1,500})@/gi;
const PARAMETER = /([?&]([^=&?#\s]{1,100})=)((?:\{\{[^{}]*\}\}|[^&#\s])+)/g;
/** A longer text inside a placeholder may be a credential. */
const PLACEHOLDER = /\{\{(?:[^{}"']|"[^"{}]{0,11}"|'[^'{}]{0,11}')*\}\}/g;
const SCHEME = /^\s*(bearer|basic|token|apikey|digest)(\s+|$)/i;

/** A graph without its inline credentials, and the removed values. */
export interface ClearedGraph {
  data: JsonObject;
  /** Plaintext; must not leave the process. */
  credentials: string[];
}

/**
 * Replaces every credential in a graph by `substitute`: values with a credential name, credentials in URLs, and texts
 * in a credential format. Placeholders are kept. Secret defaults of input fields, which a graph stores masked, become
 * `secretDefault`.
 */
export function withoutCredentials(data: JsonObject, substitute: string, secretDefault: string): ClearedGraph {
  const credentials: string[] = [];
  const take = (credential: string): string => {
    if (credential !== MASK && credential !== substitute) credentials.push(...spellingsOf(credential));
    return substitute;
  };
  const cleared = visitCredentials(data, {
    field: field =>
      isSecretField(field) && !isUnset(field.default_value) ? { ...field, default_value: secretDefault } : field,
    named: text => take(text),
    other: text => withoutInlined(text, take),
  });
  return { data: cleared as JsonObject, credentials };
}

/** A value that the owner of a copied graph must fill in or replace. */
export interface Gap {
  /** Id of the node; empty outside of nodes. */
  nodeId: string;
  /** Dotted path inside the node's `data`, such as `headers.Authorization`; for an input field its id. */
  path: string;
  kind: 'credential' | 'secret' | 'workflow' | 'scenario' | 'document' | 'user' | 'connection' | 'variable';
  /** Id of the referenced object; null for a value to fill in. */
  refersTo: number | null;
  /** Name of a project variable; absent for other kinds and if the placeholder no longer contains it. */
  variable?: string;
}

const REFERENCES: ReadonlyMap<string, Gap['kind']> = new Map([
  ['workflow_id', 'workflow'],
  ['scenario_id', 'scenario'],
  ['document_ids', 'document'],
  ['user_ids', 'user'],
  ['connection_id', 'connection'],
]);

/** Lists the gaps of a graph. It returns every reference; the caller filters those whose target exists. */
export function gapsOf(data: JsonObject): Gap[] {
  const gaps: Gap[] = [];
  const add = ({ node, path }: Place, kind: Gap['kind'], refersTo: number | null = null) =>
    gaps.push({ nodeId: node, path, kind, refersTo });
  visitCredentials(data, {
    field: (field, place) => {
      if (isSecretField(field) && isUnset(field.default_value)) add({ ...place, path: textOf(field.id) }, 'secret');
      return field;
    },
    named: (text, place) => addGapAt(text, place),
    other: (text, place) => addGapAt(text, place),
    number: (value, place) => {
      const kind = REFERENCES.get(memberOf(place));
      if (kind) add(place, kind, value);
    },
  });
  return gaps;

  /** Adds a gap if the text is to be filled in. Returns the text unchanged. */
  function addGapAt(text: string, place: Place): string {
    for (const variable of removedVariables(text))
      gaps.push({
        nodeId: place.node,
        path: place.path,
        kind: 'variable',
        refersTo: null,
        ...(variable && { variable }),
      });
    if (text.replaceAll(FILL_IN_PLACEHOLDER, '').includes(FILL_IN))
      add(place, REFERENCES.get(memberOf(place)) ?? 'credential');
    return text;
  }
}

/** Returns the project variables of the removed placeholders in a text; null: the name was removed as well. */
function removedVariables(text: string): (string | null)[] {
  const [, ...removed] = text.split(FILL_IN_PLACEHOLDER);
  const names = removed.flatMap(rest => {
    const [first] = parseTemplate(`{{${rest}`).parts;
    if (first === undefined || typeof first === 'string') return [null];
    const variables = parseTemplate(first.source).references.filter(({ root }) => root === 'env');
    return variables.map(({ path: [name = null] }) => name);
  });
  return [...new Set(names)];
}

/** Returns the member name that a value belongs to, ignoring list indexes. */
function memberOf({ path }: Place): string {
  return path.split('.').findLast(part => !/^\d+$/.test(part)) ?? '';
}

interface Place {
  node: string;
  path: string;
}

interface CredentialVisitor {
  field(field: JsonObject, place: Place): JsonObject;
  /** Visits a text whose name denotes a credential and that is not filled by placeholders. */
  named(text: string, place: Place): string;
  other(text: string, place: Place): string;
  number?(value: number, place: Place): void;
}

/** Returns a copy of the graph with the texts that the visitor returns. */
function visitCredentials(root: unknown, visitor: CredentialVisitor): unknown {
  const visit = (value: unknown, place: Place, name: string, group: string): unknown => {
    if (typeof value === 'string') {
      const isNamed = isCredentialName(name, group) && !isFilledByPlaceholders(value);
      return isNamed ? visitor.named(value, place) : visitor.other(value, place);
    }
    if (typeof value === 'number') visitor.number?.(value, place);
    if (Array.isArray(value)) {
      return value.map((item, index) =>
        name === 'input_fields' && isObject(item)
          ? visitFields(visitor.field(item, place), placeWithin(place, String(index)))
          : visit(item, placeWithin(place, String(index)), name, group),
      );
    }
    if (!isObject(value)) return value;
    const isNode = typeof value.id === 'string' && typeof value.type === 'string' && isObject(value.data);
    const inside = isNode ? { node: value.id as string, path: '' } : place;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const next = isNode && key === 'data' ? inside : placeWithin(inside, key);
        return [key, visit(member, next, key, HEADER_GROUPS.has(name) ? name : '')];
      }),
    );
  };
  // Members of an input field have names from the specification, so their names do not denote credentials.
  const visitFields = (field: JsonObject, place: Place): JsonObject =>
    Object.fromEntries(
      Object.entries(field).map(([key, member]) =>
        key === 'default_value' && isSecretField(field)
          ? [key, member]
          : [key, visit(member, placeWithin(place, key), '', '')],
      ),
    );
  return visit(root, { node: '', path: '' }, '', '');
}

function placeWithin({ node, path }: Place, name: string): Place {
  return { node, path: path === '' ? name : `${path}.${name}` };
}

function isCredentialName(name: string, group: string): boolean {
  const bare = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return NAME.test(bare) || (group !== '' && HEADER.test(bare));
}

function isFilledByPlaceholders(text: string): boolean {
  return text.replace(PLACEHOLDER, '').replace(SCHEME, '').trim() === '';
}

function withoutInlined(text: string, take: (credential: string) => string): string {
  const withoutNamed = text
    .replace(USER_IN_ADDRESS, (_all, scheme: string, user: string) => `${scheme}${take(user)}@`)
    .replace(PARAMETER, (all: string, start: string, name: string, value: string) =>
      isCredentialName(name, 'params') && !isFilledByPlaceholders(value) ? `${start}${take(value)}` : all,
    );
  return SHAPES.reduce((rest, shape) => rest.replace(shape, secret => take(secret)), withoutNamed);
}

/** Returns the credential and the parts that a service could echo: without its scheme, and the password of a pair. */
function spellingsOf(credential: string): string[] {
  const bare = credential.replace(PLACEHOLDER, '').replace(SCHEME, '').trim();
  const password = /^[^\s:]+:(\S+)$/.exec(bare)?.[1];
  return [...new Set([credential, bare, ...(password === undefined ? [] : [password])])];
}
