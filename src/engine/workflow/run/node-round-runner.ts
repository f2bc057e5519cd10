import type { JsonObject } from '../../json-value.js';
import { PortError } from '../../ports.js';
import { secretsOfTrigger } from '../../secrets.js';
import type { Graph, GraphNode } from '../graph/graph.js';
import { prepareInput } from '../graph/input-fields.js';
import type { NodeScope, RoundRunner } from '../graph/node-kind.js';
import type { Call } from './call.js';
import { roundEnded } from './node-failure.js';
import type { NodePlace } from './recorded-state.js';
import type { Round, RunCore } from './run-core.js';

export interface RoundRunnerParts {
  node: GraphNode;
  call: Call;
  /** Scope that the nodes of the body inherit; null: no round is executed. */
  scope: NodeScope | null;
  attempt: number;
  iteration: string;
}

/** Executes the rounds of a loop. Each round executes the loop body as a graph within the same run. */
export class NodeRoundRunner implements RoundRunner {
  readonly #activeRounds = new Set<Round>();

  constructor(
    private readonly core: RunCore,
    private readonly parts: RoundRunnerParts,
  ) {}

  async run(index: number, roundInput: JsonObject): Promise<unknown> {
    const { node, scope, call } = this.parts;
    const graph = node.body;
    if (!graph || !scope) throw new Error('the node has no body');
    const { secrets, recorded } = this.core.options;
    const { input, faults } = prepareInput(graph.inputFields, roundInput, secretsOfTrigger(graph.start, secrets));
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
    this.#activeRounds.add(round);
    try {
      return await round.execute(call.signal);
    } catch (error) {
      for (const other of this.#activeRounds) if (other !== round) other.fail(roundEnded.error);
      throw error;
    } finally {
      this.#activeRounds.delete(round);
    }
  }

  /** Returns the nodes in the rounds of this attempt that an earlier execution left unfinished. */
  open(): NodePlace[] {
    const ids = this.parts.node.body ? idsWithin(this.parts.node.body) : new Set<string>();
    const places: NodePlace[] = [];
    for (const [iteration, { unfinished }] of this.core.options.recorded ?? []) {
      if (!iteration.startsWith(this.#prefix)) continue;
      for (const node of unfinished.keys()) if (ids.has(node)) places.push({ node, iteration });
    }
    return places;
  }

  /** A retried loop repeats all its rounds, under other iterations than the attempt before. */
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
