import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { LightAbortController } from '../../src/fast-lane/light-abort-controller.js';
import { toAbortSignal } from '../../src/platform/async/abort-signal.js';

const reason = new Error('enough');

describe('LightAbortController', () => {
  it('tells its listeners once, with the first reason', () => {
    const controller = new LightAbortController();
    const heard: unknown[] = [];
    const object = { handleEvent: () => void heard.push('object') };
    controller.addEventListener('abort', () => void heard.push(controller.reason));
    controller.addEventListener('abort', object);
    expect(() => controller.throwIfAborted()).not.toThrow();
    controller.abort(reason);
    controller.abort(new Error('again'));
    expect(heard).toEqual([reason, 'object']);
    expect(controller).toMatchObject({ aborted: true, reason });
    expect(() => controller.throwIfAborted()).toThrow(reason);
  });

  it('does not tell who listens no more, and who comes too late', () => {
    const controller = new LightAbortController();
    const heard: string[] = [];
    const left = { handleEvent: () => void heard.push('left') };
    controller.addEventListener('abort', left);
    controller.addEventListener('abort', () => void heard.push('stayed'));
    controller.removeEventListener('abort', left);
    controller.removeEventListener('abort', left);
    controller.abort(reason);
    controller.addEventListener('abort', () => void heard.push('late'));
    expect(heard).toEqual(['stayed']);
  });

  it('is handed on as a signal of the platform', async () => {
    const controller = new LightAbortController();
    const signal = toAbortSignal(controller);
    const waiting = setTimeout(60_000, undefined, { signal });
    controller.abort(reason);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError', cause: reason });
    expect(toAbortSignal(controller)).toMatchObject({ aborted: true, reason });
    expect(toAbortSignal(signal)).toBe(signal);
  });
});
