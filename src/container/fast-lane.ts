import { ChatLane } from '../fast-lane/chat-lane.js';
import type { FastLane } from '../http/fast-lane.js';

/** Creates the handler that serves chat completions without Express. */
export function createFastLane(): FastLane {
  return new ChatLane();
}
