import type { CallContext, ModelAnswer, ModelRequest } from '../../engine/ports.js';

/** One upstream that answers for models, by its own names. */
export interface Provider {
  /** The prefix in `provider/model`. */
  readonly name: string;
  /** Address of its upstream: tells whose prices hold. Absent: its own. */
  readonly baseUrl?: string;
  /** Asked when a request names none. */
  readonly defaultModel: string;
  /** Whether it is known to serve the model, so that the model's bare name leads here. */
  knows(model: string): boolean;
  complete(model: string, request: ModelRequest, call: CallContext): Promise<ModelAnswer>;
  /** Names of the models it says it serves. */
  models(signal: AbortSignal): Promise<string[]>;
}
