import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { abortSignalOf, Ending } from '../../src/platform/async/ending.js';

const reason = new Error('enough');

describe('Ending', () => {
  it('tells its listeners once, with the first reason', () => {
    const ending = new Ending();
    const heard: unknown[] = [];
    const object = { handleEvent: () => void heard.push('object') };
    ending.addEventListener('abort', () => void heard.push(ending.reason));
    ending.addEventListener('abort', object);
    expect(() => ending.throwIfAborted()).not.toThrow();
    ending.end(reason);
    ending.end(new Error('again'));
    expect(heard).toEqual([reason, 'object']);
    expect(ending).toMatchObject({ aborted: true, reason });
    expect(() => ending.throwIfAborted()).toThrow(reason);
  });

  it('does not tell who listens no more, and who comes too late', () => {
    const ending = new Ending();
    const heard: string[] = [];
    const left = { handleEvent: () => void heard.push('left') };
    ending.addEventListener('abort', left);
    ending.addEventListener('abort', () => void heard.push('stayed'));
    ending.removeEventListener('abort', left);
    ending.removeEventListener('abort', left);
    ending.end(reason);
    ending.addEventListener('abort', () => void heard.push('late'));
    expect(heard).toEqual(['stayed']);
  });

  it('is handed on as a signal of the platform', async () => {
    const ending = new Ending();
    const signal = abortSignalOf(ending);
    const waiting = setTimeout(60_000, undefined, { signal });
    ending.end(reason);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError', cause: reason });
    expect(abortSignalOf(ending)).toMatchObject({ aborted: true, reason });
    expect(abortSignalOf(signal)).toBe(signal);
  });
});
