import type { Readable } from 'node:stream';
import { OutboundError, type OutboundErrorCode } from '../../../platform/outbound/errors.js';
import type { Outbound, OutboundAnswer } from '../../../platform/outbound/outbound.js';
import { signatures } from '../signature.js';
import type { WebhookSecrets } from '../webhook-secrets.js';
import { retryAfterSeconds } from './retry-schedule.js';
import type { Attempt, TakenDelivery } from './webhook-attempt.js';

/** The whole exchange takes this long at most. */
const TIMEOUT_MS = 15_000;
/** Nobody reads the answer's body: this much is taken so that a short one does not cost the connection. */
const MAX_READ_BYTES = 1_024;

/** What another attempt would meet again. */
const LASTING: ReadonlySet<OutboundErrorCode> = new Set(['address_refused', 'bad_url', 'bad_request']);

/** The live secrets of a project. */
export type LoadSecrets = (projectId: number) => Promise<string[]>;

/** Makes one attempt: signs the delivery and posts it. Redirects are not followed. */
export class WebhookSender {
  constructor(
    private readonly outbound: Outbound,
    private readonly secrets: Pick<WebhookSecrets, 'live'>,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Reads the secrets of a project once, for deliveries that are sent together. */
  secretsOnce(): LoadSecrets {
    const read = new Map<number, Promise<string[]>>();
    return projectId => {
      const secrets = read.get(projectId) ?? this.secrets.live(projectId);
      read.set(projectId, secrets);
      return secrets;
    };
  }

  /** Throws when `signal` aborts it. */
  async send(delivery: TakenDelivery, signal: AbortSignal, secretsOf = this.secretsOnce()): Promise<Attempt> {
    const at = new Date();
    const began = performance.now();
    const outcome = await this.#post(delivery, at, signal, secretsOf);
    return { at, durationMs: Math.round(performance.now() - began), ...outcome };
  }

  async #post(
    delivery: TakenDelivery,
    at: Date,
    signal: AbortSignal,
    secretsOf: LoadSecrets,
  ): Promise<Omit<Attempt, 'at' | 'durationMs'>> {
    const { id, url } = delivery;
    const body = JSON.stringify(delivery.body);
    const timestamp = Math.floor(at.getTime() / 1000);
    const secrets = await secretsOf(delivery.projectId);
    const until = AbortSignal.timeout(this.timeoutMs);
    try {
      const answer = await this.outbound.open({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'Scenarium-Webhooks',
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signatures(secrets, { id, timestamp, body }),
        },
        body,
        signal: AbortSignal.any([signal, until]),
        maxResponseBytes: Number.MAX_SAFE_INTEGER,
      });
      await drain(answer.body);
      return verdictOf(answer);
    } catch (error) {
      if (signal.aborted) throw error;
      const verdict = error instanceof OutboundError && LASTING.has(error.code) ? 'failed' : 'retry';
      return { status: null, error: this.#reasonOf(error, until), verdict, retryAfterSeconds: null };
    }
  }

  #reasonOf(error: unknown, until: AbortSignal): string {
    if (until.aborted) return `No answer within ${this.timeoutMs / 1000} s.`;
    if (error instanceof OutboundError) return error.message;
    throw error;
  }
}

function verdictOf({ status, headers }: OutboundAnswer<Readable>): Omit<Attempt, 'at' | 'durationMs'> {
  if (status >= 200 && status < 300) return { status, error: null, verdict: 'delivered', retryAfterSeconds: null };
  if (status === 410) return { status, error: 'The receiver is gone (410).', verdict: 'gone', retryAfterSeconds: null };
  const error =
    status >= 300 && status < 400
      ? `The receiver answered with a redirect (${status}), which is not followed.`
      : `The receiver answered ${status}.`;
  return { status, error, verdict: 'retry', retryAfterSeconds: retryAfterSeconds(headers['retry-after']) };
}

/** The status has decided by now: a body that breaks off, or never ends, changes nothing. */
async function drain(body: Readable): Promise<void> {
  let read = 0;
  body.on('error', () => {});
  try {
    for await (const chunk of body) {
      read += (chunk as Buffer).length;
      if (read >= MAX_READ_BYTES) break;
    }
  } catch {
    body.destroy();
  }
}
