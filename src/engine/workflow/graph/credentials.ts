import { isObject, type JsonObject } from '../../json-value.js';
import { isSecretField, MASK } from '../../secrets.js';

/** Stands in a copy where the original holds a credential. */
export const FILL_IN = '<fill in>';

/** Names under which people write down credentials, without what is no letter or digit. */
const NAME =
  /authorization|cookie|passw|secret|apikey|accesskey|privatekey|credential|signature|(^|auth|access|refresh|session|csrf|api)token$/;
/** The same for headers and query parameters, which name little else that way. */
const HEADER = /token|auth|(^|x|api|access|subscription|function)key$|^sig$|session/;
const HEADER_GROUPS = new Set(['headers', 'params']);

/**
 * Texts that are credentials wherever they stand: keys of well-known services, signed tokens, private keys. Every part is
 * bounded, or cannot begin again inside itself: a long text takes no more than its length.
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
const PLACEHOLDER = /\{\{[^{}]*\}\}/g;
const SCHEME = /^\s*(bearer|basic|token|apikey|digest)(\s+|$)/i;

/** A graph without the credentials that were written into it, and what these were. */
export interface ClearedMember {
  data: JsonObject;
  /** In clear: they stay inside the process. */
  credentials: string[];
}

/**
 * Puts `substitute` in the place of every credential in a graph: of values whose names say what they are, of what stands
 * in addresses, and of texts that look like nothing else. What is filled in by placeholders stays. Secret defaults of
 * input fields, which a graph holds masked, become `secretDefault`.
 */
export function withoutCredentials(data: JsonObject, substitute: string, secretDefault: string): ClearedMember {
  const credentials: string[] = [];
  const take = (credential: string): string => {
    if (credential !== MASK && credential !== substitute) credentials.push(...spellingsOf(credential));
    return substitute;
  };
  const cleared = visitCredentials(data, {
    field: field =>
      isSecretField(field) && !isEmpty(field.default_value) ? { ...field, default_value: secretDefault } : field,
    named: text => take(text),
    other: text => withoutInlined(text, take),
  });
  return { data: cleared as JsonObject, credentials };
}

/** What somebody who has such a graph from another has to fill in, or to replace. */
export interface Gap {
  /** The node; empty when it stands in none. */
  nodeId: string;
  /** Members from the node's `data` on, such as `headers.Authorization`; of an input field its id. */
  path: string;
  kind: 'credential' | 'secret' | 'workflow' | 'scenario' | 'document';
  /** What is referred to, by its id; null for what is to be filled in. */
  refersTo: number | null;
}

const REFERENCES: Record<string, Gap['kind']> = {
  workflow_id: 'workflow',
  scenario_id: 'scenario',
  document_ids: 'document',
};

/** The gaps of a graph; a reference is one only where there is nothing by that id, which the caller knows. */
export function gapsOf(data: JsonObject): Gap[] {
  const gaps: Gap[] = [];
  const add = ({ node, path }: Place, kind: Gap['kind'], refersTo: number | null = null) =>
    gaps.push({ nodeId: node, path, kind, refersTo });
  visitCredentials(data, {
    field: (field, place) => {
      if (isSecretField(field) && isEmpty(field.default_value)) add({ ...place, path: String(field.id) }, 'secret');
      return field;
    },
    named: (text, place) => noted(text, place),
    other: (text, place) => noted(text, place),
    number: (value, place) => {
      const kind = REFERENCES[memberOf(place)];
      if (kind) add(place, kind, value);
    },
  });
  return gaps;

  function noted(text: string, place: Place): string {
    if (text.includes(FILL_IN)) add(place, REFERENCES[memberOf(place)] ?? 'credential');
    return text;
  }
}

/** The name of the member that a value belongs to, whatever its position in a list. */
function memberOf({ path }: Place): string {
  return path.split('.').findLast(part => !/^\d+$/.test(part)) ?? '';
}

interface Place {
  node: string;
  path: string;
}

interface CredentialVisitor {
  field(field: JsonObject, place: Place): JsonObject;
  /** A text whose name says that it is a credential, placeholders and all. */
  named(text: string, place: Place): string;
  other(text: string, place: Place): string;
  number?(value: number, place: Place): void;
}

/** Rebuilds a graph with what the visitor makes of its texts. */
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
  // The names of an input field's members are the specification's own.
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
  return SHAPES.reduce((rest, shape) => rest.replace(shape, found => take(found)), withoutNamed);
}

/** As it stands, and what of it a service would repeat alone: without its scheme, or the password of a pair. */
function spellingsOf(credential: string): string[] {
  const bare = credential.replace(PLACEHOLDER, '').replace(SCHEME, '').trim();
  const password = /^[^\s:]+:(\S+)$/.exec(bare)?.[1];
  return [...new Set([credential, bare, ...(password === undefined ? [] : [password])])];
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
