import { jsonText } from '../send-json.js';
import type { BuildReply } from './reply.js';

/** Responds with the value as JSON. For an envelope it also reports the inner status. */
export const replyJson: BuildReply = (route, value) => {
  const reply = { status: route.status, text: jsonText(value) };
  return isEnvelope(value) ? { ...reply, innerStatus: value.status } : reply;
};

function isEnvelope(value: unknown): value is { status: number; data: unknown } {
  return typeof value === 'object' && value !== null && 'data' in value && 'status' in value && isStatus(value.status);
}

function isStatus(status: unknown): boolean {
  return Number.isInteger(status) && (status as number) >= 100 && (status as number) <= 599;
}
