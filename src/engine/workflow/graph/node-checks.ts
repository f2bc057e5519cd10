import type { Use as TemplateUse } from '../../template.js';
import type { Graph, GraphNode } from './graph.js';
import { neverBefore, type Question, ReachabilityProof } from './precedence.js';
import { prepare } from './prepared-node.js';
import { type Fault, faultsOf } from './settings.js';

/** A fault that a run would be refused for, or a warning. */
export interface NodeIssue extends Fault {
  node: GraphNode;
  code: string;
  severity: 'error' | 'warning';
}

/** A placeholder whose worth only the input tells: it names no declared field. */
export interface UndeclaredInput {
  node: GraphNode;
  path: string;
  field: string;
}

/** What can be said about the nodes of a graph without its input and its surroundings. */
export interface NodeChecks {
  issues: readonly NodeIssue[];
  undeclared: readonly UndeclaredInput[];
}

const checked = new WeakMap<Graph, NodeChecks>();

/** Checked once for each graph: every accepted run asks. */
export function checkNodes(graph: Graph): NodeChecks {
  let checks = checked.get(graph);
  if (!checks) {
    checks = new Checker(graph, null).check();
    checked.set(graph, checks);
  }
  return checks;
}

/** Every node within reach, those in the bodies of loops within reach too. */
export function* nodesWithin(graph: Graph): Generator<GraphNode> {
  for (const node of graph.order) {
    yield node;
    if (node.body) yield* nodesWithin(node.body);
  }
}

interface NodeReference extends Question {
  path: string;
  hasDefault: boolean;
  /** The node that holds the placeholder, where that is one inside the body of `later`. */
  in?: GraphNode;
}

/** Where a loop's body lies: its nodes see what the loop sees. */
interface NodeContext {
  checker: Checker;
  loop: GraphNode;
}

class Checker {
  readonly #issues: NodeIssue[] = [];
  readonly #undeclared: UndeclaredInput[] = [];
  readonly #references: NodeReference[] = [];
  readonly #faulty = new Set<GraphNode>();
  readonly #declared: ReadonlySet<string>;

  constructor(
    private readonly graph: Graph,
    private readonly around: NodeContext | null,
  ) {
    this.#declared = new Set(graph.inputFields.map(field => field.id));
  }

  check(): NodeChecks {
    for (const node of this.graph.nodes) {
      if (!node.isReachable) continue;
      for (const fault of faultsOf(node.kind.written, node.data)) this.#error(node, 'invalid_setting', fault);
      this.#checkTemplate(node);
      // What a round's input holds is known when the items are: placeholders of it are not checked before.
      if (node.body) this.#issues.push(...new Checker(node.body, { checker: this, loop: node }).check().issues);
    }
    const impossible = new Set(neverBefore(this.graph, this.#references));
    for (const { later, in: inner = later, path } of impossible) {
      this.#error(inner, 'unknown_reference', {
        path,
        message: 'refers to a node that can never have run before this one',
      });
    }
    this.#warnOfSkips(this.#references.filter(reference => !impossible.has(reference) && !reference.hasDefault));
    return { issues: this.#issues, undeclared: this.#undeclared };
  }

  #checkTemplate(node: GraphNode): void {
    const { template } = prepare(node);
    for (const { code, path, message } of template.problems) this.#error(node, code, { path, message });
    // Settings without placeholders are as good as resolved: what is wrong with them is known now.
    if (template.isConstant && !node.kind.isVerbatim && !this.#faulty.has(node)) {
      const settings = Object.fromEntries(node.kind.members.map(member => [member, node.data[member]]));
      for (const fault of faultsOf(node.kind.resolved, settings)) this.#error(node, 'invalid_setting', fault);
    }
    for (const use of template.uses) this.#checkUse(node, use);
  }

  #checkUse(node: GraphNode, { path, reference, hasDefault }: TemplateUse): void {
    const [field] = reference.path;
    if (reference.root === 'previous' && node === this.graph.start) {
      this.#error(node, 'unknown_reference', { path, message: 'refers to a previous node, and the run starts here' });
    } else if (reference.root === 'input') {
      if (field !== undefined && !hasDefault && !this.#declared.has(field))
        this.#undeclared.push({ node, path, field });
    } else if (reference.root === 'nodes' && !this.#refer(reference.node ?? '', { later: node, path, hasDefault })) {
      this.#error(node, 'unknown_reference', { path, message: 'refers to a node that does not exist' });
    }
  }

  /** A node of this graph, or one that the loop around it may refer to. */
  #refer(id: string, use: Omit<NodeReference, 'earlier'>): boolean {
    const earlier = this.graph.byId.get(id);
    if (earlier) this.#references.push({ earlier, ...use });
    const { around } = this;
    if (earlier || !around) return earlier !== undefined;
    return around.checker.#refer(id, { ...use, later: around.loop, in: use.in ?? use.later });
  }

  #warnOfSkips(references: readonly NodeReference[]): void {
    if (references.length === 0) return;
    const certainty = new ReachabilityProof(this.graph);
    for (const reference of references) {
      if (certainty.hasRun(reference)) continue;
      const message = 'refers to a node that may be skipped; the filter default says what stands in for it';
      this.#issues.push({
        node: reference.in ?? reference.later,
        code: 'may_be_skipped',
        severity: 'warning',
        path: reference.path,
        message,
      });
    }
  }

  #error(node: GraphNode, code: string, fault: Fault): void {
    this.#faulty.add(node);
    this.#issues.push({ node, code, severity: 'error', ...fault });
  }
}
