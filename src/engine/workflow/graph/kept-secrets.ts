import { isObject, type JsonObject } from '../../json-value.js';
import { inputFieldsWithin, isSecretField, MASK, type Secrets, secretsWithin } from '../../secrets.js';
import { allowedHostsOf, isNarrower } from './secret-hosts.js';

/**
 * Why an update of a graph must not keep secrets that it sends back masked: whoever may edit a workflow cannot read them,
 * and must not have them sent to another host either. Empty: they may be kept.
 */
export function keptSecretFaults(
  next: unknown,
  stored: { readonly data: unknown; readonly secrets: Readonly<Secrets> },
): string[] {
  const before = inputFieldsWithin(stored.data);
  return inputFieldsWithin(next).flatMap(({ field, node }) => {
    const { id } = field;
    if (!isSecretField(field) || field.default_value !== MASK || typeof id !== 'string') return [];
    const known = secretsWithin({ id: node, data: {} }, stored.secrets);
    if (!Object.hasOwn(known, id) || known[id] === MASK) return [];
    const where = `Node ${JSON.stringify(node)}, input field ${JSON.stringify(id)}`;
    const others = before.filter(each => each.field.id === id && isSecretField(each.field));
    const same = others.filter(each => each.node === node);
    const hosts = (same.length > 0 ? same : others).map(each => allowedHostsOf(each.field));
    if (!hosts.every(each => isNarrower(allowedHostsOf(field), each)))
      return [
        `${where}: enter default_value again. allowed_hosts takes more hosts than before, and a value that is kept stays with its hosts.`,
      ];
    const known_places = destinationsOf(stored.data, id);
    const added = [...destinationsOf(next, id)].filter(([place]) => !known_places.has(place));
    return added
      .slice(0, 1)
      .map(
        ([place, by]) =>
          `${where}: enter default_value again. Node ${JSON.stringify(by)} would send it to ${place}, where the stored graph does not send it.`,
      );
  });
}

const ADDRESSES = new Set(['url', 'endpoint_url']);
const CALLED: ReadonlyMap<string, string> = new Map([
  ['workflow_id', 'workflow'],
  ['scenario_id', 'scenario'],
]);
const PLACEHOLDER = /\{\{[^{}]*\}\}/g;

interface NodeUse {
  id: string;
  isDirect: boolean;
  /** Whether it uses what other nodes made, which may hold the secret. */
  usesContents: boolean;
  places: string[];
}

/**
 * The hosts, workflows and scenarios that a secret field may reach, each with a node that sends it there: nodes that refer
 * to the field, and nodes that refer to contents once any node has the field. Rather too many than too few.
 */
function destinationsOf(data: unknown, field: string): Map<string, string> {
  const uses = [...nodesWithin(data)].map(node => useOf(node, field, data));
  const isPassedOn = uses.some(({ isDirect }) => isDirect);
  const found = new Map<string, string>();
  for (const { id, isDirect, usesContents, places } of uses)
    if (isDirect || (usesContents && isPassedOn)) for (const place of places) found.set(place, id);
  return found;
}

function* nodesWithin(value: unknown): Generator<JsonObject> {
  if (Array.isArray(value)) for (const item of value) yield* nodesWithin(item);
  if (!isObject(value)) return;
  if (typeof value.type === 'string' && isObject(value.data)) yield value;
  for (const member of Object.values(value)) yield* nodesWithin(member);
}

function useOf(node: JsonObject, field: string, graph: unknown): NodeUse {
  const use: NodeUse = { id: String(node.id), isDirect: node.type === 'code-node', usesContents: false, places: [] };
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'number' || typeof value === 'string') {
      use.places.push(...placesOf(value, name, graph));
      noteReferences(use, String(value), field);
    } else if (Array.isArray(value)) for (const item of value) visit(item, name);
    // Nodes of a loop's body are looked at by themselves.
    else if (isObject(value) && !(typeof value.type === 'string' && isObject(value.data)))
      for (const [key, member] of Object.entries(value)) visit(member, key);
  };
  visit(node.data, '');
  return use;
}

/** What a member of this name calls: a workflow, a scenario, a host. */
function placesOf(value: number | string, name: string, graph: unknown): string[] {
  const kind = CALLED.get(name);
  return [
    ...(kind === undefined ? [] : [`${kind} ${value}`]),
    ...(typeof value === 'string' && ADDRESSES.has(name) ? [hostOf(value, graph)] : []),
  ];
}

function noteReferences(use: NodeUse, text: string, field: string): void {
  for (const [placeholder] of text.matchAll(PLACEHOLDER)) {
    const inside = placeholder.slice(2).trimStart();
    if (!inside.startsWith('input')) use.usesContents = true;
    else if (!/^input\s*[.[]/.test(inside) || inside.includes(field)) use.isDirect = true;
  }
}

/** A host; where placeholders are part of it, what they are filled with as far as the graph says so. */
function hostOf(address: string, graph: unknown): string {
  const authority = /^[^{}/?#]*:\/\/(?:\{\{[^{}]*\}\}|[^/?#{])*/.exec(address)?.[0] ?? address;
  if (!authority.includes('{{')) return URL.parse(address)?.host ?? address;
  const defaults = inputFieldsWithin(graph)
    .filter(({ field }) => !isSecretField(field) && typeof field.id === 'string' && authority.includes(field.id))
    .map(({ field, node }) => [node, field.id, field.default_value ?? null]);
  return defaults.length === 0 ? authority : `${authority} with ${JSON.stringify(defaults)}`;
}
