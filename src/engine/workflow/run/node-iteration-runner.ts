import type { JsonObject } from '../../json-value.js';
import { PortError } from '../../ports.js';
import { secretsOfTrigger } from '../../secrets.js';
import type { Graph, GraphNode } from '../graph/graph.js';
import { prepareInput } from '../graph/input-fields.js';
import type { IterationEnd, IterationRunner, NodeScope } from '../graph/node-kind.js';
import type { Call } from './call.js';
import { describeFailure, iterationAborted } from './node-failure.js';
import type { NodePlace } from './recorded-state.js';
import { type LoopIteration, RUN_TOO_LARGE, type RunCore } from './run-core.js';

/** The loop node whose iterations are executed, in one of its attempts. */
export interface IterationRunnerParts {
  node: GraphNode;
  call: Call;
  /** Scope that the nodes of the body inherit; null: no iteration is executed. */
  scope: NodeScope | null;
  attempt: number;
  /** The iteration of the surrounding loops; empty: none. */
  iteration: string;
}

/** Executes the iterations of a loop. Each iteration executes the loop body as a graph within the same run. */
export class NodeIterationRunner implements IterationRunner {
  readonly #activeIterations = new Set<LoopIteration>();

  constructor(
    private readonly core: RunCore,
    private readonly parts: IterationRunnerParts,
  ) {}

  run(index: number, iterationInput: JsonObject): Promise<unknown> {
    return this.#execute(index, iterationInput, true);
  }

  async tryRun(index: number, iterationInput: JsonObject): Promise<IterationEnd> {
    try {
      return { output: await this.#execute(index, iterationInput, false) };
    } catch (error) {
      const { code, message } = describeFailure(error).error;
      if (this.parts.call.signal.aborted || code === RUN_TOO_LARGE) throw error;
      return { error: { code, message } };
    }
  }

  async #execute(index: number, iterationInput: JsonObject, endsOthers: boolean): Promise<unknown> {
    const { node, scope, call } = this.parts;
    const graph = node.body;
    if (!graph || !scope) throw new Error('the node has no body');
    const { secrets, recorded } = this.core.options;
    const { input, faults } = prepareInput(graph.inputFields, iterationInput, secretsOfTrigger(graph.start, secrets));
    const [fault] = faults;
    if (fault) throw new PortError('invalid_input', `${fault.path}: ${fault.message}`);
    const iteration = this.#prefix + index;
    const loopIteration = this.core.createIteration(this.core, {
      graph,
      input,
      iteration,
      recorded: recorded?.get(iteration),
      outer: scope,
      outerTimer: call.timer,
    });
    this.#activeIterations.add(loopIteration);
    try {
      return await loopIteration.execute(call.signal);
    } catch (error) {
      if (endsOthers)
        for (const other of this.#activeIterations) if (other !== loopIteration) other.fail(iterationAborted.error);
      throw error;
    } finally {
      this.#activeIterations.delete(loopIteration);
    }
  }

  /** Returns the nodes in the iterations of this attempt that an earlier execution left unfinished. */
  unfinishedNodes(): NodePlace[] {
    const ids = this.parts.node.body ? idsWithin(this.parts.node.body) : new Set<string>();
    const places: NodePlace[] = [];
    for (const [iteration, { unfinished }] of this.core.options.recorded ?? []) {
      if (!iteration.startsWith(this.#prefix)) continue;
      for (const node of unfinished.keys()) if (ids.has(node)) places.push({ node, iteration });
    }
    return places;
  }

  /** Iterations of a retried loop contain the number of the attempt, so that none of its results are reused. */
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
