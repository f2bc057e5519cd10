import type { Reference } from '../../../expressions/expression.js';
import { parseTemplate } from '../../../expressions/template-parser.js';
import { canonicalJson, isObject, type JsonObject, textOf } from '../../../json-value.js';
import { inputFieldsWithin, isSecretField, MASK, type Secrets, secretsOfTrigger } from '../../../secrets.js';
import { isPath } from '../../nodes/data/connection.js';
import { nodeKindOf } from '../../nodes/index.js';
import { nodeReferences } from '../references.js';
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
  const redirection = redirectionFinder(next, stored.data);
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
    const added = redirection(id);
    return added === undefined ? [] : [`${where}: enter default_value again. ${added}`];
  });
}

/**
 * Returns the reasons why a run of the graph `next` must not take over the values of these input fields from a run of the
 * graph `before`; empty: it may. Editors cannot read the secrets in them.
 */
export function inputReuseFaults(next: unknown, before: unknown, fields: readonly string[]): string[] {
  const redirection = redirectionFinder(next, before);
  return fields.flatMap(id => {
    const added = redirection(id);
    return added === undefined ? [] : [`Input field ${JSON.stringify(id)}: enter its value again. ${added}`];
  });
}

/** Returns a function that finds a destination of a field to which only the graph `next` sends it; undefined: there is none. */
function redirectionFinder(next: unknown, before: unknown): (field: string) => string | undefined {
  const isChanged = memoized(() => behaviorOf(next) !== behaviorOf(before));
  return field => {
    const known = destinationsOf(before, field);
    for (const [place, { by, isFromContents }] of destinationsOf(next, field)) {
      const sends = `Node ${JSON.stringify(by)} would send it to ${place},`;
      if (!known.has(place)) return `${sends} where the stored graph does not send it.`;
      if (isFromContents && isChanged()) return `${sends} which contents of the changed graph determine.`;
    }
    return undefined;
  };
}

/** The kinds of references that say where a node sends its data. */
const TARGET_KINDS = new Set(['host', 'workflow', 'scenario', 'connection']);

interface FoundNode {
  /** A node without its body. */
  node: JsonObject & { data: JsonObject };
  /** True if it reads the whole input and the contents of other nodes, as a script does. */
  readsScope: boolean;
  /** True if it is in the body of a loop. */
  isInBody: boolean;
}

/** A host, workflow, scenario or connection to which a node sends data. */
interface Target {
  /** The place with the default values that its name uses. */
  place: string;
  /** True if contents of nodes determine the place. */
  isFromContents: boolean;
}

interface Destination extends Pick<Target, 'isFromContents'> {
  /** The id of a node that sends the secret there. */
  by: string;
}

/** How one node uses a secret field. */
interface NodeUse {
  id: string;
  /** True if it refers to the field, or may do so. */
  isDirect: boolean;
  /** True if it uses contents of other nodes, which may contain the secret. */
  usesContents: boolean;
  targets: Target[];
}

/**
 * Returns the hosts, workflows and scenarios that a secret field can reach, each with a node that sends it. Nodes that
 * refer to the field count. If there is such a node, nodes that refer to contents of other nodes count as well, because
 * contents may contain the secret.
 */
function destinationsOf(data: unknown, field: string): Map<string, Destination> {
  const uses = [...nodesWithin(data)].map(found => useOf(found, field, data));
  const isPassedOn = uses.some(({ isDirect }) => isDirect);
  const destinations = new Map<string, Destination>();
  for (const { id, isDirect, usesContents, targets } of uses)
    if (isDirect || (usesContents && isPassedOn))
      for (const { place, isFromContents } of targets) {
        const others = destinations.get(place);
        destinations.set(place, { by: id, isFromContents: isFromContents || others?.isFromContents === true });
      }
  return destinations;
}

function* nodesWithin(graph: unknown, isInBody = false): Generator<FoundNode> {
  if (!isObject(graph) || !Array.isArray(graph.nodes)) return;
  for (const { type, data, ...rest } of graph.nodes.filter(isObject)) {
    const kind = typeof type === 'string' ? nodeKindOf(type) : undefined;
    if (!kind || !isObject(data)) continue;
    const { [kind.bodyMember ?? '']: body, ...settings } = data;
    yield { node: { ...rest, type, data: settings }, readsScope: kind.readsScope === true, isInBody };
    yield* nodesWithin(body, true);
  }
}

function useOf({ node, readsScope, isInBody }: FoundNode, field: string, graph: unknown): NodeUse {
  const targets = targetsOf(node, isInBody, graph);
  const use: NodeUse = { id: textOf(node.id), isDirect: readsScope, usesContents: false, targets };
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      for (const reference of parseTemplate(value).references) {
        use.isDirect ||= mayRead(reference, field);
        use.usesContents ||= readsContents(reference, isInBody);
      }
    } else if (Array.isArray(value)) for (const item of value) visit(item);
    else if (isObject(value)) for (const member of Object.values(value)) visit(member);
  };
  visit(node.data);
  return use;
}

/** Returns true for the field, and for the whole input, from which an expression may select the field. */
function mayRead({ root, path }: Reference, field: string): boolean {
  return root === 'input' && (path.length === 0 || path[0] === field);
}

/** Returns true if the value can come from other nodes. The input of a loop body does. */
function readsContents({ root }: Reference, isInBody: boolean): boolean {
  return root === 'input' ? isInBody : ['nodes', 'previous', 'vars', 'args'].includes(root);
}

/** Returns the places that the references of a node name. */
function targetsOf(node: FoundNode['node'], isInBody: boolean, graph: unknown): Target[] {
  return nodeReferences(node).flatMap(({ kind, value }) => {
    if (!TARGET_KINDS.has(kind) || value === undefined || value === null || value === '') return [];
    if (kind !== 'host') return [targetNamed(`${kind} ${textOf(value)}`, isInBody, graph)];
    // The host of a path is that of the connection.
    return isPath(textOf(value)) ? [] : [targetNamed(hostOf(textOf(value)), isInBody, graph)];
  });
}

/**
 * Returns the host of an address, or the part of the address that determines the host if that part has placeholders. URL
 * parsers ignore line breaks and tabs, accept further slashes in front of the host, and read a backslash as a slash.
 */
function hostOf(text: string): string {
  const address = text.replace(/[\t\n\r]/g, '');
  const authority = /^[^{}/?#\\:]*:[/\\]*(?:\{\{[^{}]*\}\}|[^/?#{])*/.exec(address)?.[0];
  // The expression of a placeholder may contain braces.
  const decisive = authority === undefined || address.startsWith('{', authority.length) ? address : authority;
  return decisive.includes('{{') ? decisive : (URL.parse(address)?.host ?? address);
}

/**
 * Returns the target that a text names. The place includes the default values of the input fields in its placeholders,
 * because an update of a default value redirects the secret.
 */
function targetNamed(text: string, isInBody: boolean, graph: unknown): Target {
  const { references } = parseTemplate(text);
  if (references.length === 0) return { place: text, isFromContents: false };
  const defaults = inputFieldsWithin(graph).flatMap(({ field, node }) => {
    const { id, default_value: value = null } = field;
    if (typeof id !== 'string' || !references.some(reference => mayRead(reference, id))) return [];
    if (!isSecretField(field)) return [[node, id, value]];
    // A masked value is the stored one. Messages must not contain a new one.
    return value === MASK || value === null || value === '' ? [] : [[node, id, 'a new value']];
  });
  return {
    place: defaults.length === 0 ? text : `${text} with ${JSON.stringify(defaults)}`,
    isFromContents: references.some(reference => readsContents(reference, isInBody)),
  };
}

/** Returns a graph without what affects only its drawing. */
function behaviorOf(graph: unknown): string {
  if (!isObject(graph) || !Array.isArray(graph.nodes)) return canonicalJson(graph);
  const { viewport: _, ...rest } = graph;
  const nodes = graph.nodes.map(node => (isObject(node) ? { ...node, position: null } : node));
  return canonicalJson({ ...rest, nodes });
}

function memoized(compute: () => boolean): () => boolean {
  let value: boolean | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}
