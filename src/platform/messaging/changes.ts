import { Repeater } from '@repeaterjs/repeater';
import type { Bus } from './bus.js';

/** What follows something tells a subscriber of it. */
export interface Follower<T> {
  /** Waits until the subscriber has taken the value: a slow one holds one reading, never a growing queue. False: it has gone. */
  tell(value: T): Promise<boolean>;
  /** Resolves when there may be news since the last look, with false when the subscriber has gone. */
  news(): Promise<boolean>;
}

/** Has something called at each news; the answer ends that. */
export type Watch = (ring: () => void) => () => void;

/** What `work` tells, until it returns, throws or the subscriber goes. It is woken whenever `watch` rings. */
export function follow<T>(watch: Watch, work: (follower: Follower<T>) => Promise<void>): AsyncIterable<T> {
  return new Repeater<T>(async (push, stop) => {
    let isOver = false;
    let hasRung = false;
    let wake: (() => void) | undefined;
    const ring = () => {
      hasRung = true;
      wake?.();
    };
    const unwatch = watch(ring);
    void stop.then(() => {
      isOver = true;
      unwatch();
      wake?.();
    });
    try {
      await work({
        async tell(value) {
          if (!isOver) await push(value);
          return !isOver;
        },
        async news() {
          if (!hasRung && !isOver)
            await new Promise<void>(resolve => {
              wake = resolve;
            });
          wake = undefined;
          hasRung = false;
          return !isOver;
        },
      });
      stop();
    } catch (error) {
      stop(error);
    } finally {
      unwatch();
    }
  });
}

export interface WatchedChanges<T> {
  /** On which it is told that something has changed. */
  topic: string;
  /** The present state, for whoever may see it; throws otherwise. */
  read(): Promise<T>;
  /** What a change is: two states are told apart by it. */
  signature(state: T): unknown;
  hasEnded(state: T): boolean;
}

/** Something, live: the present state, then each change that is seen, until it has ended. What `read` throws ends it. */
export function changesOf<T>(bus: Bus, { topic, read, signature, hasEnded }: WatchedChanges<T>): AsyncIterable<T> {
  return follow<T>(bus.watching(topic), async ({ tell, news }) => {
    let seen = '';
    do {
      const state = await read();
      const signed = JSON.stringify(signature(state));
      if (signed !== seen && !(await tell(state))) return;
      seen = signed;
      if (hasEnded(state)) return;
    } while (await news());
  });
}
