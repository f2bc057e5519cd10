import type { ServerResponse } from 'node:http';
import { createContext } from '../base/context.js';
import { RateLimitedError, UnauthenticatedError } from '../base/errors.js';
import type { KeyGate } from '../resources/accounts/key-gate.js';
import type { RequestContext } from '../resources/accounts/request-context.js';
import type { Viewer } from '../resources/accounts/viewer.js';
import { setRateLimitHeaders } from './rate-limit.js';

/** What a request counts for, and the answer that says how much is left; null where there is no HTTP answer. */
export interface Charge {
  cost: number;
  response: ServerResponse | null;
}

/** Turns credentials into a viewer: an API key in `X-Api-Key`. */
export class Identity {
  constructor(private readonly gate: KeyGate) {}

  /** Nobody when no credentials came; throws when they are wrong, or have asked too often. */
  async contextFor(headers: Record<string, unknown>, charge: Charge): Promise<RequestContext> {
    return createContext(await this.viewerOf(headers, charge));
  }

  async viewerOf(headers: Record<string, unknown>, charge: Charge): Promise<Viewer | null> {
    const key = headers['x-api-key'];
    if (key === undefined || key === '') return null;
    const viewer = typeof key === 'string' ? await this.#pass(key, charge) : null;
    if (!viewer) throw new UnauthenticatedError();
    return viewer;
  }

  async #pass(key: string, { cost, response }: Charge): Promise<Viewer | null> {
    const passage = await this.gate.pass(key, cost);
    if (!passage) return null;
    const { viewer, allowance } = passage;
    if (allowance && response) setRateLimitHeaders(response, allowance);
    if (allowance && !allowance.isGranted) throw new RateLimitedError(allowance.resetSeconds);
    return viewer;
  }
}
