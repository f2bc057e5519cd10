import { isObject, type JsonObject, textOf } from '../../../json-value.js';
import { inputFieldsWithin, isSecretField, MASK, type Secrets, secretsOfTrigger } from '../../../secrets.js';
import { allowedHostsOf, isNarrower } from './secret-hosts.js';

/**
 * Returns the reasons why an update must not keep its masked secrets; empty: it may. Editors cannot read secrets, so
 * they must not redirect them to another host either.
 */
export function secretReuseFaults(
  next: unknown,
  stored: { readonly data: unknown; readonly secrets: Readonly<Secrets> },
): string[] {
  const before = inputFieldsWithin(stored.data);
  return inputFieldsWithin(next).flatMap(({ field, node }) => {
    const { id } = field;
    if (!isSecretField(field) || field.default_value !== MASK || typeof id !== 'string') return [];
    const secrets = secretsOfTrigger({ id: node, data: {} }, stored.secrets);
    if (!Object.hasOwn(secrets, id) || secrets[id] === MASK) return [];
    const where = `Node ${JSON.stringify(node)}, input field ${JSON.stringify(id)}`;
    const withSameId = before.filter(each => each.field.id === id && isSecretField(each.field));
    const inSameNode = withSameId.filter(each => each.node === node);
    // A field of a new or renamed node gets the value of the stored fields with its id.
    const hosts = (inSameNode.length > 0 ? inSameNode : withSameId).map(each => allowedHostsOf(each.field));
    if (!hosts.every(each => isNarrower(allowedHostsOf(field), each)))
      return [
        `${where}: enter default_value again. allowed_hosts permits more hosts than before, and a stored value may only be sent to its previous hosts.`,
      ];
    const knownDestinations = destinationsOf(stored.data, id);
    const added = [...destinationsOf(next, id)].filter(([place]) => !knownDestinations.has(place));
    return added
      .slice(0, 1)
      .map(
        ([place, by]) =>
          `${where}: enter default_value again. Node ${JSON.stringify(by)} would send it to ${place}, where the stored graph does not send it.`,
      );
  });
}

/** Members of nodes and tools that hold the address of a server. A test checks that those of all kinds are listed. */
export const ADDRESS_MEMBERS: ReadonlySet<string> = new Set(['url', 'endpoint_url', 'issuer', 'connection']);
const REFERENCE_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['workflow_id', 'workflow'],
  ['scenario_id', 'scenario'],
  ['connection_id', 'connection'],
]);
const PLACEHOLDER = /\{\{[^{}]*\}\}/g;

/** How one node uses a secret field. */
interface NodeUse {
  id: string;
  /** True if it refers to the field, or may do so. */
  isDirect: boolean;
  /** True if it uses contents of other nodes, which may contain the secret. */
  usesContents: boolean;
  /** Hosts, workflows, scenarios and connections that its settings name. */
  targets: string[];
}

/**
 * Returns the hosts, workflows and scenarios that a secret field can reach, each with a node that sends it. Nodes that
 * refer to the field count. If there is such a node, nodes that refer to contents of other nodes count as well, because
 * contents may contain the secret.
 */
function destinationsOf(data: unknown, field: string): Map<string, string> {
  const uses = [...nodesWithin(data)].map(node => useOf(node, field, data));
  const isPassedOn = uses.some(({ isDirect }) => isDirect);
  const destinations = new Map<string, string>();
  for (const { id, isDirect, usesContents, targets } of uses)
    if (isDirect || (usesContents && isPassedOn)) for (const target of targets) destinations.set(target, id);
  return destinations;
}

function* nodesWithin(value: unknown): Generator<JsonObject> {
  if (Array.isArray(value)) for (const item of value) yield* nodesWithin(item);
  if (!isObject(value)) return;
  if (typeof value.type === 'string' && isObject(value.data)) yield value;
  for (const member of Object.values(value)) yield* nodesWithin(member);
}

function useOf(node: JsonObject, field: string, graph: unknown): NodeUse {
  // A script reads the whole input, so a code node counts in any case.
  const use: NodeUse = { id: textOf(node.id), isDirect: node.type === 'code-node', usesContents: false, targets: [] };
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'number' || typeof value === 'string') {
      use.targets.push(...targetsOf(value, name, graph));
      addReferences(use, String(value), field);
    } else if (Array.isArray(value)) for (const item of value) visit(item, name);
    // Nodes of a loop body are visited separately.
    else if (isObject(value) && !(typeof value.type === 'string' && isObject(value.data)))
      for (const [key, member] of Object.entries(value)) visit(member, key);
  };
  visit(node.data, '');
  return use;
}

/** Returns the workflow, scenario, connection or host that a member of this name calls. */
function targetsOf(value: number | string, name: string, graph: unknown): string[] {
  const kind = REFERENCE_MEMBERS.get(name);
  return [
    ...(kind === undefined ? [] : [`${kind} ${value}`]),
    ...(typeof value === 'string' && ADDRESS_MEMBERS.has(name) ? [hostOf(value, graph)] : []),
  ];
}

/** Adds the placeholders of a text to the use. Texts that contain the name of the field count as references to it. */
function addReferences(use: NodeUse, text: string, field: string): void {
  for (const [placeholder] of text.matchAll(PLACEHOLDER)) {
    const inside = placeholder.slice(2).trimStart();
    if (!inside.startsWith('input')) use.usesContents = true;
    else if (!/^input\s*[.[]/.test(inside) || inside.includes(field)) use.isDirect = true;
  }
}

/**
 * Returns the host of an address. If the host contains placeholders, the result includes their default values, because an
 * update of a default value redirects the secret.
 */
function hostOf(address: string, graph: unknown): string {
  const authority = /^[^{}/?#]*:\/\/(?:\{\{[^{}]*\}\}|[^/?#{])*/.exec(address)?.[0] ?? address;
  if (!authority.includes('{{')) return URL.parse(address)?.host ?? address;
  const defaults = inputFieldsWithin(graph)
    .filter(({ field }) => !isSecretField(field) && typeof field.id === 'string' && authority.includes(field.id))
    .map(({ field, node }) => [node, field.id, field.default_value ?? null]);
  return defaults.length === 0 ? authority : `${authority} with ${JSON.stringify(defaults)}`;
}
