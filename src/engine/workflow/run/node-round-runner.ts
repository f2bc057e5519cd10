import type { JsonObject } from '../../json-value.js';
import { PortError } from '../../ports.js';
import { secretsWithin } from '../../secrets.js';
import type { Graph, GraphNode } from '../graph/graph.js';
import { prepareInput } from '../graph/input-fields.js';
import type { NodeScope, RoundRunner } from '../graph/node-kind.js';
import type { Call } from './call.js';
import { roundEnded } from './node-failure.js';
import type { NodePlace } from './recorded.js';
import type { Round, RunCore } from './run-core.js';

export interface RoundRunnerParts {
  node: GraphNode;
  call: Call;
  /** What the nodes of the body see beside each other; null: no round will be run. */
  scope: NodeScope | null;
  attempt: number;
  iteration: string;
}

/** The rounds of a loop: each executes the loop's body as a graph of its own, within the same run. */
export class NodeRoundRunner implements RoundRunner {
  readonly #underWay = new Set<Round>();

  constructor(
    private readonly core: RunCore,
    private readonly parts: RoundRunnerParts,
  ) {}

  async run(index: number, given: JsonObject): Promise<unknown> {
    const { node, scope, call } = this.parts;
    const graph = node.body;
    if (!graph || !scope) throw new Error('the node has no body');
    const { secrets, recorded } = this.core.options;
    const { input, faults } = prepareInput(graph.inputFields, given, secretsWithin(graph.start, secrets));
    const [fault] = faults;
    if (fault) throw new PortError('invalid_input', `${fault.path}: ${fault.message}`);
    const iteration = this.#prefix + index;
    const round = this.core.newRound(this.core, {
      graph,
      input,
      iteration,
      recorded: recorded?.get(iteration),
      outer: scope,
      outerTimer: call.timer,
    });
    this.#underWay.add(round);
    try {
      return await round.toEnd(call.signal);
    } catch (error) {
      for (const other of this.#underWay) if (other !== round) other.fail(roundEnded.error);
      throw error;
    } finally {
      this.#underWay.delete(round);
    }
  }

  /** Nodes that an earlier execution left open in the rounds of this try. */
  open(): NodePlace[] {
    const ids = this.parts.node.body ? idsWithin(this.parts.node.body) : new Set<string>();
    const places: NodePlace[] = [];
    for (const [iteration, { begun }] of this.core.options.recorded ?? []) {
      if (!iteration.startsWith(this.#prefix)) continue;
      for (const node of begun.keys()) if (ids.has(node)) places.push({ node, iteration });
    }
    return places;
  }

  /** A loop that is tried again begins all its rounds anew: they are other iterations than those of the try before. */
  get #prefix(): string {
    const { iteration, attempt } = this.parts;
    return `${iteration === '' ? '' : `${iteration}.`}${attempt === 1 ? '' : `${attempt}~`}`;
  }
}

function idsWithin({ nodes }: Graph): Set<string> {
  const ids = new Set<string>();
  for (const { id, body } of nodes) {
    ids.add(id);
    if (body) for (const inner of idsWithin(body)) ids.add(inner);
  }
  return ids;
}
