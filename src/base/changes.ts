import { Repeater } from '@repeaterjs/repeater';
import { Bell } from './bell.js';
import type { Bus } from './bus.js';

export interface Watched<T> {
  /** On which it is told that something has changed. */
  topic: string;
  /** The present state, for whoever may see it; throws otherwise. */
  read(): Promise<T>;
  /** What a change is: two states are told apart by it. */
  signature(state: T): unknown;
  hasEnded(state: T): boolean;
}

/** Looked at this often even when nothing rang. */
const BACKSTOP_MS = 5_000;

/** Something, live: the present state, then each change that is seen, until it has ended. What `read` throws ends it. */
export function changesOf<T>(bus: Bus, { topic, read, signature, hasEnded }: Watched<T>): AsyncIterable<T> {
  return new Repeater<T>(async (push, stop) => {
    const bell = new Bell();
    let stopped = false;
    const unsubscribe = bus.subscribe(topic, () => bell.ring());
    void stop.then(() => {
      stopped = true;
      bell.ring();
    });
    try {
      let seen = '';
      while (!stopped) {
        bell.listen();
        const state = await read();
        const signed = JSON.stringify(signature(state));
        if (signed !== seen) await push(state);
        seen = signed;
        if (hasEnded(state)) break;
        await bell.rest(BACKSTOP_MS);
      }
      stop();
    } catch (error) {
      stop(error);
    } finally {
      unsubscribe();
    }
  });
}
