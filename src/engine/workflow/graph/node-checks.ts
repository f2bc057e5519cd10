import type { ConnectionProtocol } from '../../connections/kinds.js';
import { checkTypes } from '../../expressions/check-expression.js';
import { type ReferenceTypes, typesInGraph } from '../../expressions/reference-types.js';
import { isOfResponse } from '../../expressions/references.js';
import { resolvePath } from '../../expressions/resolve.js';
import type { Use as TemplateUse } from '../../expressions/template.js';
import { isObject, isUnset } from '../../json-value.js';
import { defaultContentOf, hasRetries } from './common-members.js';
import type { Graph, GraphNode } from './graph.js';
import { missingNode } from './graph-faults.js';
import { inputTypes } from './input-fields.js';
import { ERROR_HANDLE, type NodeKind, selectedBranch } from './node-kind.js';
import { unreachablePeers } from './peers.js';
import { findImpossible, PrecedenceProof, type PrecedenceQuestion } from './precedence.js';
import { prepareNode } from './prepared-node.js';
import { FILL_IN_PLACEHOLDER } from './secrets/credentials.js';
import { CLEARED, type Fault, faultsOf } from './settings.js';

/** A node fault that prevents a run, or a warning. */
export interface NodeIssue extends Fault {
  node: GraphNode;
  code: string;
  severity: 'error' | 'warning';
}

/** A placeholder for an undeclared input field. Only the actual input shows whether it has a value. */
export interface UndeclaredInput {
  node: GraphNode;
  path: string;
  field: string;
}

/** A placeholder for a project variable. */
export interface VariableUse {
  node: GraphNode;
  path: string;
  name: string;
  /** True if a default applies when the variable does not exist. */
  hasDefault: boolean;
}

/** A use of a connection. */
export interface ConnectionUse {
  node: GraphNode;
  path: string;
  id: number;
  protocol: ConnectionProtocol;
}

/** Results of checks that need neither the input nor the validation context. */
export interface NodeChecks {
  issues: readonly NodeIssue[];
  undeclared: readonly UndeclaredInput[];
  /** Uses of project variables, including those in loop bodies. */
  variables: readonly VariableUse[];
  /** Uses of connections by their ids, including those in loop bodies. */
  connections: readonly ConnectionUse[];
}

const checksByGraph = new WeakMap<Graph, NodeChecks>();

/** Checks the nodes of a graph. The result is cached, because every accepted run needs it. */
export function checkNodes(graph: Graph): NodeChecks {
  let checks = checksByGraph.get(graph);
  if (!checks) {
    checks = new Checker(graph, null).check();
    checksByGraph.set(graph, checks);
  }
  return checks;
}

/** Returns the names of the project variables that a graph uses. */
export function variableNamesOf(graph: Graph): string[] {
  return [...new Set(checkNodes(graph).variables.map(({ name }) => name))];
}

/** Returns the ids of the connections that a graph uses. */
export function connectionIdsOf(graph: Graph): number[] {
  return [...new Set(checkNodes(graph).connections.map(({ id }) => id))];
}

/** Yields every node that a run may use: reachable nodes, those in loop bodies, and those whose settings other nodes use. */
export function* nodesWithin(graph: Graph): Generator<GraphNode> {
  for (const node of graph.order) {
    yield node;
    if (node.body) yield* nodesWithin(node.body);
  }
  yield* unreachablePeers(graph).keys();
}

interface NodeReference extends PrecedenceQuestion {
  path: string;
  hasDefault: boolean;
  /** The node with the placeholder, if it is inside the body of `later`. */
  in?: GraphNode;
}

/** The loop enclosing a body. Nodes of the body can refer to everything that the loop can refer to. */
interface NodeContext {
  checker: Checker;
  loop: GraphNode;
}

class Checker {
  readonly #issues: NodeIssue[] = [];
  readonly #undeclared: UndeclaredInput[] = [];
  readonly #variables: VariableUse[] = [];
  readonly #connections: ConnectionUse[] = [];
  readonly #references: NodeReference[] = [];
  readonly #faulty = new Set<GraphNode>();
  readonly #declared: ReadonlySet<string>;
  readonly #types: ReferenceTypes;
  /** Unreachable nodes that run only in place of others, such as the agents of a handoff, each with a node that may use its settings. */
  readonly #peers: ReadonlyMap<GraphNode, GraphNode>;

  constructor(
    private readonly graph: Graph,
    private readonly enclosing: NodeContext | null,
  ) {
    this.#declared = new Set(graph.inputFields.map(field => field.id));
    this.#types = typesInGraph(inputTypes(graph.inputFields));
    this.#peers = unreachablePeers(graph);
  }

  check(): NodeChecks {
    for (const node of this.graph.nodes) {
      if (!node.isReachable && !this.#peers.has(node)) continue;
      if (node.kind.isNote)
        this.#error(node, 'invalid_setting', { path: 'next_nodes', message: 'a note has no connections' });
      for (const fault of faultsOf(node.kind.written, node.data)) this.#error(node, 'invalid_setting', fault);
      this.#checkTemplate(node);
      this.#checkDefault(node);
      this.#warnOfFailures(node);
      this.#checkPeers(node);
      this.#collectConnections(node);
      // The input of an iteration depends on the items, so placeholders for it are not checked here.
      if (node.body) {
        const { issues, variables, connections } = new Checker(node.body, { checker: this, loop: node }).check();
        this.#issues.push(...issues);
        this.#variables.push(...variables);
        this.#connections.push(...connections);
      }
    }
    const impossible = new Set(findImpossible(this.graph, this.#references));
    for (const { later, in: inner = later, path } of impossible) {
      this.#error(inner, 'unknown_reference', {
        path,
        message: 'refers to a node that can never have run before this one',
      });
    }
    this.#warnOfSkips(this.#references.filter(reference => !impossible.has(reference) && !reference.hasDefault));
    return {
      issues: this.#issues,
      undeclared: this.#undeclared,
      variables: this.#variables,
      connections: this.#connections,
    };
  }

  /** Ids in placeholders are known only in the run. */
  #collectConnections(node: GraphNode): void {
    for (const { kind, path, value, protocol } of node.kind.references?.(node.data) ?? [])
      if (kind === 'connection' && typeof value === 'number' && protocol)
        this.#connections.push({ node, path, id: value, protocol });
  }

  /** `knownIds` is set for the valid part of a graph with faults, in which other nodes may be missing. */
  #checkPeers(node: GraphNode): void {
    if (this.graph.knownIds) return;
    const faults = node.kind.peerFaults?.(node, id => this.graph.byId.get(id)?.kind.type) ?? [];
    for (const { code = 'invalid_setting', ...fault } of faults) this.#error(node, code, fault);
  }

  #checkTemplate(node: GraphNode): void {
    const { template } = prepareNode(node);
    for (const { code, path, message } of template.problems) {
      const text = resolvePath(node.data, path.split('.'));
      const isCleared = typeof text === 'string' && text.includes(FILL_IN_PLACEHOLDER);
      this.#error(node, code, { path, message: isCleared ? CLEARED : message });
    }
    this.#checkTypes(node);
    // Settings without placeholders are final, so they are validated now.
    if (template.isConstant && !node.kind.isVerbatim && !this.#faulty.has(node)) {
      const settings = Object.fromEntries(node.kind.members.map(member => [member, node.data[member]]));
      for (const fault of faultsOf(node.kind.resolved, settings)) this.#error(node, 'invalid_setting', fault);
    }
    for (const use of template.uses) this.#checkUse(node, use);
  }

  /** An operation that always fails is an error, or a warning if the run continues after a failure of the node. */
  #checkTypes(node: GraphNode): void {
    const { template, policy } = prepareNode(node);
    const isFatal = policy.onError === 'fail' || policy.onError === 'retry';
    for (const { path, expression } of template.required) {
      for (const { code, message } of checkTypes(expression, this.#types)) {
        if (isFatal) this.#error(node, code, { path, message });
        else this.#warn(node, code, { path, message });
      }
    }
  }

  /** A default that selects no branch would skip everything after the node. */
  #checkDefault(node: GraphNode): void {
    const { kind, data } = node;
    if (data.on_error !== 'default' || !kind.branches) return;
    if (selectedBranch(kind, defaultContentOf(data), data) !== undefined) return;
    const message = `selects no output: it must be a content of this node, such as ${kind.form.content.sample}`;
    this.#error(node, 'invalid_setting', { path: 'default_value', message });
  }

  /** Warns of settings for failures that have no effect, and of failures that no node handles. */
  #warnOfFailures(node: GraphNode): void {
    // The valid part of a graph with faults has no edges.
    if (this.graph.knownIds) return;
    const { on_error: onError, retry, default_value: value } = node.data;
    if (onError === 'branch' && !node.branches.get(ERROR_HANDLE)?.length)
      this.#warn(node, 'branch_without_target', {
        path: 'error_nodes',
        message: 'no node follows the output error, so a failure is ignored: add one, or change on_error',
      });
    if (!isUnset(retry) && !hasRetries(node.data))
      this.#warn(node, 'member_without_effect', {
        path: 'retry',
        message: 'has no effect with this on_error: select retry, branch or default',
      });
    if (!isUnset(value) && onError !== 'default')
      this.#warn(node, 'member_without_effect', {
        path: 'default_value',
        message: 'has no effect unless on_error is default',
      });
  }

  #checkUse(node: GraphNode, use: TemplateUse): void {
    const { path, reference, hasDefault } = use;
    if (reference.root === 'previous' && node === this.graph.start && !this.graph.knownIds) {
      this.#error(node, 'unknown_reference', {
        path,
        message: 'refers to a previous node, but the run starts at this node',
      });
    } else if (reference.root === 'nodes') {
      // A peer has the values of the node in whose place it runs.
      const user = this.#peers.get(node);
      const place = user ? { later: user, in: node } : { later: node };
      if (!this.#refer(reference.node ?? '', { ...place, path, hasDefault }))
        this.#error(node, 'unknown_reference', { path, message: `refers to ${missingNode(reference.node ?? '')}` });
      this.#checkResponse(node, use);
    } else this.#checkName(node, use);
  }

  #checkResponse(node: GraphNode, { path, reference }: TemplateUse): void {
    const kind = isOfResponse(reference) ? this.#kindOf(reference.node ?? '') : undefined;
    if (!kind || kind.hasResponse) return;
    const message = `refers to the HTTP response of a node of the type ${kind.type}, which has none`;
    this.#error(node, 'unknown_reference', { path, message });
  }

  /** Returns the kind of a node of this graph or of an enclosing graph. */
  #kindOf(id: string): NodeKind | undefined {
    const kind = this.graph.byId.get(id)?.kind;
    if (kind || !this.enclosing) return kind;
    return this.enclosing.checker.#kindOf(id);
  }

  /** Checks the name of an input field or of a variable. */
  #checkName(node: GraphNode, { path, reference, hasDefault }: TemplateUse): void {
    const [name] = reference.path;
    if (reference.root === 'env') this.#variables.push({ node, path, name: name ?? '', hasDefault });
    if (name === undefined || hasDefault) return;
    if (reference.root === 'input' && !this.#declared.has(name)) this.#undeclared.push({ node, path, field: name });
    if (reference.root === 'vars' && !this.#setsVariable(name))
      this.#error(node, 'unknown_reference', { path, message: 'refers to a variable that no node sets' });
  }

  /** Returns true if a node of this graph or of an enclosing graph may set the variable. */
  #setsVariable(name: string): boolean {
    const isSet = this.graph.order.some(({ kind, data: { values } }) => {
      if (!kind.setsVariables) return false;
      return !isObject(values) || Object.hasOwn(values, name);
    });
    if (isSet || !this.enclosing) return isSet;
    return this.enclosing.checker.#setsVariable(name);
  }

  /** Resolves a reference to a node of this graph or of an enclosing graph. Returns false if there is none. */
  #refer(id: string, use: Omit<NodeReference, 'earlier'>): boolean {
    // The valid part of a graph with faults has no edges, so the order of its nodes is unknown.
    if (this.graph.knownIds) return this.graph.knownIds.has(id);
    const earlier = this.graph.byId.get(id);
    if (earlier) this.#references.push({ earlier, ...use });
    const { enclosing } = this;
    if (earlier || !enclosing) return earlier !== undefined;
    return enclosing.checker.#refer(id, { ...use, later: enclosing.loop, in: use.in ?? use.later });
  }

  #warnOfSkips(references: readonly NodeReference[]): void {
    if (references.length === 0) return;
    const proof = new PrecedenceProof(this.graph);
    for (const reference of references) {
      if (proof.hasRun(reference)) continue;
      const message = 'refers to a node that may be skipped; add the filter default to provide a substitute';
      this.#warn(reference.in ?? reference.later, 'may_be_skipped', { path: reference.path, message });
    }
  }

  #warn(node: GraphNode, code: string, fault: Fault): void {
    this.#issues.push({ node, code, severity: 'warning', ...fault });
  }

  #error(node: GraphNode, code: string, fault: Fault): void {
    this.#faulty.add(node);
    this.#issues.push({ node, code, severity: 'error', ...fault });
  }
}
