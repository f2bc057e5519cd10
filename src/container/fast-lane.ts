import { ChatLane } from '../fast-lane/chat-lane.js';
import type { FastLane } from '../http/fast-lane.js';

/** Chat completions are answered in front of Express. */
export function createFastLane(): FastLane {
  return new ChatLane();
}
