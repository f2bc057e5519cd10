import type { Usage } from '../../engine/ports.js';
import type { MeteredUsage } from '../../providers/llm/chat/chat-meter.js';
import type { Route } from '../../providers/llm/model-router.js';
import { storableText } from '../../providers/storable-text.js';
import type { Viewer } from '../accounts/viewer.js';
import { serviceCostOf } from '../billing/service-cost.js';
import type { HeldReservation } from './chat-reservations.js';
import type { StreamEnd } from './chat-stream.js';

/** One chat completion on the ledger. What is undefined is not sent to the database, for which it is null. */
export interface ChatEntry {
  /** Of the call. */
  id: string;
  userId: number;
  keyId: number | null;
  projectId: number | undefined;
  status: 'Success' | 'Error';
  amountUsd: string;
  reason: string | undefined;
  /** The model that was asked for. */
  description: string;
  usage: Usage[];
  /** The part of it that was paid with a provider key of the service; undefined: nothing. */
  serviceUsd: string | undefined;
  /** What is reserved for it on the limit of its project and on the operator's limits. */
  reservation: string | undefined;
  /** The same of its key. */
  keyReservation: string | undefined;
}

interface CompletedCall {
  id: string;
  viewer: Viewer;
  projectId: number | null;
  held: HeldReservation;
  route: Route;
  end: StreamEnd;
  used: MeteredUsage;
  costUsd: string | null;
}

/** The row of a chat completion that was answered, in whole or in part. */
export function chatEntry(ended: CompletedCall): ChatEntry {
  const { id, viewer, projectId, held, route, end, used, costUsd } = ended;
  const { provider } = route;
  const model = storableText(route.model);
  const { promptTokens, completionTokens } = used;
  const usage: Usage = { provider: provider.name, model, promptTokens, completionTokens, costUsd };
  if (provider.isOwn) usage.isOwn = true;
  return {
    id,
    userId: viewer.userId,
    keyId: viewer.keyId ?? null,
    projectId: projectId ?? undefined,
    status: end === 'complete' ? 'Success' : 'Error',
    amountUsd: costUsd ?? '0',
    reason: reasonOf(ended, model),
    description: `${provider.name}/${model}`,
    usage: [usage],
    serviceUsd: serviceCostOf([usage]),
    reservation: held.ofProject ?? undefined,
    keyReservation: held.ofKey ?? undefined,
  };
}

/** What a reader of the ledger must know about the row; undefined: nothing. */
function reasonOf({ route, end, used, costUsd }: CompletedCall, model: string): string | undefined {
  const reasons = [
    costUsd === null && `The price of ${model} is unknown: charged nothing.`,
    used.isCounted && 'The provider did not report what it used: tokens are counted.',
    end === 'left' && 'The client left before the end.',
    end === 'broken' && 'The provider broke off.',
    route.provider.isOwn && 'Called with a key of the project’s own.',
  ];
  return reasons.filter(Boolean).join(' ') || undefined;
}
