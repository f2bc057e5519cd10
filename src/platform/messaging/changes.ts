import { Repeater } from '@repeaterjs/repeater';
import type { Bus } from './bus.js';

/** Sends values to one subscriber and waits for changes. */
export interface ChangeSubscriber<T> {
  /**
   * Waits until the subscriber has taken the value, so a slow subscriber never builds up a queue. Returns false if it
   * has left.
   */
  send(value: T): Promise<boolean>;
  /** Resolves when state may have changed since the last call. Resolves with false if the subscriber has left. */
  nextChange(): Promise<boolean>;
}

/** Registers a function that is called at each change. Returns a function that removes it. */
export type ChangeSource = (onChange: () => void) => () => void;

/** Returns the values that `work` sends. It ends when `work` returns or throws, or when the subscriber leaves. */
export function streamChanges<T>(
  watch: ChangeSource,
  work: (subscriber: ChangeSubscriber<T>) => Promise<void>,
): AsyncIterable<T> {
  return new Repeater<T>(async (push, stop) => {
    let isOver = false;
    let hasChanged = false;
    let resolveNext: (() => void) | undefined;
    const onChange = () => {
      hasChanged = true;
      resolveNext?.();
    };
    const unwatch = watch(onChange);
    void stop.then(() => {
      isOver = true;
      unwatch();
      resolveNext?.();
    });
    try {
      await work({
        async send(value) {
          if (!isOver) await push(value);
          return !isOver;
        },
        async nextChange() {
          if (!hasChanged && !isOver)
            await new Promise<void>(resolve => {
              resolveNext = resolve;
            });
          resolveNext = undefined;
          hasChanged = false;
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
  /** The topic that is notified of changes. */
  topic: string;
  /** Reads the current state. Throws if the subscriber may not see it. */
  read(): Promise<T>;
  /** Two states with equal signatures count as unchanged. */
  signature(state: T): unknown;
  hasEnded(state: T): boolean;
}

/** Streams the current state and then each change until `hasEnded`. An error of `read` ends the stream. */
export function changesOf<T>(bus: Bus, { topic, read, signature, hasEnded }: WatchedChanges<T>): AsyncIterable<T> {
  return streamChanges<T>(bus.topicSource(topic), async ({ send, nextChange }) => {
    let lastSignature = '';
    do {
      const state = await read();
      const currentSignature = JSON.stringify(signature(state));
      if (currentSignature !== lastSignature && !(await send(state))) return;
      lastSignature = currentSignature;
      if (hasEnded(state)) return;
    } while (await nextChange());
  });
}
