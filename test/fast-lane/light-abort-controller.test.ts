import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { LightAbortController } from '../../src/fast-lane/light-abort-controller.js';
import { toAbortSignal } from '../../src/platform/async/abort-signal.js';

const reason = new Error('enough');

describe('LightAbortController', () => {
  it('notifies its listeners once, with the first reason', () => {
    const controller = new LightAbortController();
    const calls: unknown[] = [];
    const object = { handleEvent: () => void calls.push('object') };
    controller.addEventListener('abort', () => void calls.push(controller.reason));
    controller.addEventListener('abort', object);
    expect(() => controller.throwIfAborted()).not.toThrow();
    controller.abort(reason);
    controller.abort(new Error('again'));
    expect(calls).toEqual([reason, 'object']);
    expect(controller).toMatchObject({ aborted: true, reason });
    expect(() => controller.throwIfAborted()).toThrow(reason);
  });

  it('does not notify removed and late listeners', () => {
    const controller = new LightAbortController();
    const calls: string[] = [];
    const left = { handleEvent: () => void calls.push('left') };
    controller.addEventListener('abort', left);
    controller.addEventListener('abort', () => void calls.push('stayed'));
    controller.removeEventListener('abort', left);
    controller.removeEventListener('abort', left);
    controller.abort(reason);
    controller.addEventListener('abort', () => void calls.push('late'));
    expect(calls).toEqual(['stayed']);
  });

  it('is converted to an AbortSignal of Node', async () => {
    const controller = new LightAbortController();
    const signal = toAbortSignal(controller);
    const waiting = setTimeout(60_000, undefined, { signal });
    controller.abort(reason);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError', cause: reason });
    expect(toAbortSignal(controller)).toMatchObject({ aborted: true, reason });
    expect(toAbortSignal(signal)).toBe(signal);
  });
});
