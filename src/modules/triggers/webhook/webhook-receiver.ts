import type { AbortSignalLike } from '../../../platform/async/abort-signal.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { derivedUuid, timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import { PayloadTooLargeError } from '../../../platform/errors/errors.js';
import type { RunFiles } from '../../files/run-files.js';
import type { RunWaiter } from '../../workflow-runs/history/run-waiter.js';
import { applyMapping, MappingError } from '../mapping.js';
import { type StoredTrigger, sealContextOf, type TriggerSecrets } from '../stored-trigger.js';
import type { TriggerAddresses } from '../trigger-addresses.js';
import type { WebhookSettings } from '../trigger-settings.js';
import type { TriggerStarts } from '../trigger-starts.js';
import { WebhookReply } from '../workflow-trigger.type.js';
import { type CallBody, readBody, storeFiles } from './call-body.js';
import { refusal, replyOf, type WebhookAnswer } from './run-reply.js';
import { proofHeader, verifyCall } from './verify-call.js';

/** A call of a webhook. Header names are in lower case. */
export interface WebhookCall {
  token: string;
  method: string;
  headers: Readonly<Record<string, string | undefined>>;
  query: Readonly<Record<string, string | string[]>>;
  body: Buffer;
  /** Called before the call waits for the reply of its run, so that it no longer counts towards the concurrency limit. */
  onWait: () => void;
  /** Aborted when the caller disconnects. */
  signal: AbortSignalLike;
}

/** HTTP status for calls of a webhook that starts no runs at present. */
const PAUSED = 409;
/** Headers that do not become part of the input, because they may carry credentials. */
const HIDDEN_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);

/** Receives calls of webhooks: verifies them, starts their runs and builds the answers. */
export class WebhookReceiver {
  /** Opened once for concurrent calls, which share a trigger. */
  readonly #secrets = new WeakMap<StoredTrigger, string>();

  constructor(
    private readonly addresses: TriggerAddresses,
    private readonly vault: Vault,
    private readonly starts: TriggerStarts,
    private readonly waiter: RunWaiter,
    private readonly files: Pick<RunFiles, 'receive' | 'keep' | 'discard'>,
  ) {}

  /** Verifies a call, starts its run and returns the response. A call with the delivery id of an earlier one starts no second run. */
  async receive(call: WebhookCall): Promise<WebhookAnswer> {
    const trigger = await this.addresses.find('webhook', call.token);
    if (!trigger) return refusal(404, 'not_found', 'No webhook has this address.');
    const settings = trigger.settings as unknown as WebhookSettings;
    const checked = await this.#check(call, trigger, settings);
    if ('status' in checked) {
      await this.starts.record({
        triggerId: trigger.id,
        outcome: checked.status === PAUSED ? 'skipped' : 'rejected',
        reason: (checked.body as { message: string }).message,
      });
      return checked;
    }
    const { body, deliveryId } = checked;
    const runId = deliveryId === null ? timeOrderedUuid() : derivedUuid(`webhook ${trigger.id} ${deliveryId}`);
    const prepared = await this.#prepare(call, trigger, body, runId);
    if ('status' in prepared) return prepared;
    const { input, fileIds } = prepared;
    const start = await this.starts.start(trigger, input, runId);
    if (fileIds.length > 0) await this.files.keep(trigger.projectId, fileIds, runId);
    await this.starts.record({ triggerId: trigger.id, ...start });
    if (start.outcome === 'refused') return refusal(422, 'run_refused', start.reason, start.runId);
    if (settings.reply === WebhookReply.ACCEPTED) return acceptedAnswer(runId);
    call.onWait();
    return this.#replyOf(trigger, runId, settings.waitSeconds, call.signal);
  }

  /** Stores the files of a call and builds the input of its run. Returns the answer that rejects the call, whose files are deleted. */
  async #prepare(call: WebhookCall, { id, projectId, settings }: StoredTrigger, body: CallBody, runId: string) {
    const fileIds: string[] = [];
    const webhook = settings as unknown as WebhookSettings;
    try {
      const value = await storeFiles(body, async (file, index) => {
        const reference = await this.files.receive(projectId, file, `webhook ${runId} ${index}`);
        fileIds.push(reference.file_id);
        return reference;
      });
      return { input: applyMapping(webhook.mapping, membersOf(call, value, webhook)), fileIds };
    } catch (error) {
      const answer = rejectionOf(error);
      if (!answer) throw error;
      if (fileIds.length > 0) await this.files.discard(projectId, fileIds);
      await this.starts.record({ triggerId: id, outcome: 'rejected', reason: (error as Error).message });
      return answer;
    }
  }

  /** Checks a call. Returns its body, or the answer that rejects it. */
  async #check(call: WebhookCall, trigger: StoredTrigger, settings: WebhookSettings) {
    if (!trigger.isEnabled) return refusal(PAUSED, 'disabled', 'This webhook is disabled.');
    if (trigger.pausedAt !== null) return refusal(PAUSED, 'paused', 'The workflow of this webhook is paused.');
    if (!settings.methods.includes(call.method)) {
      const refused = refusal(405, 'method_not_allowed', `Use ${settings.methods.join(' or ')}.`);
      return { ...refused, headers: { allow: settings.methods.join(', ') } };
    }
    if (call.body.length > settings.maxBodyBytes)
      return refusal(413, 'too_large', `A body has at most ${settings.maxBodyBytes} bytes.`);
    const verdict = verifyCall(call, settings, this.#secretOf(trigger), Math.floor(Date.now() / 1_000));
    if (!verdict.isGenuine) return refusal(401, 'not_verified', verdict.reason);
    const body = await readBody(call);
    if ('status' in body) return body;
    return { body, deliveryId: verdict.deliveryId };
  }

  #secretOf(trigger: StoredTrigger): string {
    let secret = this.#secrets.get(trigger);
    if (secret === undefined) {
      const sealed = JSON.parse(this.vault.open(trigger.sealed!, sealContextOf(trigger.id))) as TriggerSecrets;
      secret = sealed.secret ?? '';
      this.#secrets.set(trigger, secret);
    }
    return secret;
  }

  async #replyOf(
    trigger: StoredTrigger,
    runId: string,
    seconds: number,
    signal: AbortSignalLike,
  ): Promise<WebhookAnswer> {
    const viewer = await this.starts.viewerOf(trigger);
    if (!viewer) return acceptedAnswer(runId);
    const result = await this.waiter.wait(viewer, runId, seconds, signal);
    return replyOf(runId, result) ?? acceptedAnswer(runId);
  }
}

/** The members of a call, from which the input of its run is built. Every viewer of the project can read them. */
function membersOf(call: WebhookCall, body: unknown, settings: WebhookSettings): Record<string, unknown> {
  const proof = proofHeader(settings);
  const shown = Object.entries(call.headers).filter(([name]) => !HIDDEN_HEADERS.has(name) && name !== proof);
  const headers = Object.fromEntries(shown);
  return { body, headers, query: call.query, method: call.method };
}

/** The answer to a call whose files cannot be stored or whose mapping cannot be evaluated. Undefined for other errors. */
function rejectionOf(error: unknown): WebhookAnswer | undefined {
  if (error instanceof PayloadTooLargeError) return refusal(413, 'too_large', error.message);
  if (error instanceof MappingError) return refusal(400, 'mapping_failed', error.message);
  return undefined;
}

function acceptedAnswer(runId: string): WebhookAnswer {
  return { status: 202, headers: {}, body: { run_id: runId }, isRefusal: false };
}
