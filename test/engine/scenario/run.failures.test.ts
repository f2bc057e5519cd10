import { describe, expect, test } from '@jest/globals';
import { PortError } from '../../../src/engine/ports.js';
import type { ScenarioEvent } from '../../../src/engine/scenario/events/run-event.js';
import { fakePorts, upstreamDown, usageOf } from '../fake-ports.js';
import { M, message, result, run, scenario, short, start } from './samples.js';

const parallel = { isAsync: true };

describe('a message that fails', () => {
  const unknown = new PortError('provider_not_configured', 'provider must be one of echo.');

  test('fails the run with the reason, and what comes after it is not sent', async () => {
    const ports = fakePorts({ llm: () => unknown });
    const events = await run(scenario([message(1, 'x', { provider: 'unknown-provider' }), message(2, 'y')]), { ports });
    expect(short(events)).toEqual(['+1', '1!provider_not_configured', 'run!provider_not_configured']);
    expect(events.at(-1)).toMatchObject({ error: { message: 'provider must be one of echo.' } });
  });

  test('aborts concurrent calls', async () => {
    const ports = fakePorts({
      llm: request => (request.messages[0]?.content === 'x' ? upstreamDown() : 'hang'),
    });
    const sample = scenario([message(1, 'slow', parallel), message(2, 'x', parallel), message(3, M(1))]);
    expect(short(await run(sample, { ports }))).toEqual([
      '+1',
      '+2',
      '2!upstream_error',
      '1!aborted',
      'run!upstream_error',
    ]);
    expect(ports.inFlight.now).toBe(0);
  });

  test('is charged for when the provider charged for it', async () => {
    const usage = { ...usageOf({ settings: {} }), costUsd: '0.25' };
    const ports = fakePorts({ llm: () => new PortError('bad_upstream_answer', 'nonsense', { usage }) });
    expect((await result(scenario([message(1, 'x')]), { ports })).spent.costUsd).toBe('0.25');
  });

  test('shows no details of an internal error', async () => {
    const ports = fakePorts({ llm: () => new TypeError('secret at 10.0.0.1') });
    expect((await result(scenario([message(1, 'x')]), { ports })).error).toEqual({
      code: 'internal_error',
      message: 'the message failed for an internal reason',
    });
  });

  test.each(['hang', 'deaf'] as const)('has answerSeconds for its answer (%s)', async behaviour => {
    const ports = fakePorts({ llm: () => behaviour });
    const sample = scenario([message(1, 'x')]);
    expect(short(await run(sample, { ports, limits: { answerSeconds: 5 } }))).toEqual([
      '+1',
      '1!timeout',
      'run!timeout',
    ]);
  });

  test('fails with its run when that takes longer than maxSeconds', async () => {
    const ports = fakePorts({ llm: () => 'hang' });
    const options = { ports, limits: { maxSeconds: 2 } };
    expect(short(await run(scenario([message(1, 'x')]), options))).toEqual(['+1', '1!aborted', 'run!run_timeout']);
  });

  test('fails when all results together grow beyond maxBytes, and is charged for', async () => {
    const sample = scenario([message(1, 'äää'), message(2, 'äää')]);
    const { error, spent, processedMessages } = await result(sample, { limits: { maxBytes: 11 } });
    expect(error?.code).toBe('run_too_large');
    expect(spent.costUsd).toBe('0.002');
    expect(processedMessages.map(({ status }) => status)).toEqual(['finished', 'error']);
    expect((await result(sample, { limits: { maxBytes: 12 } })).status).toBe('finished');
  });
});

describe('a run that is aborted', () => {
  test('throws the reason at once, aborts what is in flight and sends nothing more', async () => {
    const controller = new AbortController();
    const cancelled = new Error('cancelled');
    const ports = fakePorts({
      llm: () => {
        if (ports.prompts.length === 2) queueMicrotask(() => controller.abort(cancelled));
        return 'hang';
      },
    });
    const events: ScenarioEvent[] = [];
    const running = (async () => {
      const sample = scenario([message(1, 'x', parallel), message(2, 'y')]);
      for await (const event of start(sample, { ports, signal: controller.signal })) events.push(event);
    })();
    await expect(running).rejects.toBe(cancelled);
    expect(short(events)).toEqual(['+1', '+2']);
    expect(ports.inFlight.now).toBe(0);
    expect(ports.prompts).toHaveLength(2);
  });

  test('reports the answers that have arrived already', async () => {
    const controller = new AbortController();
    const ports = fakePorts();
    const events: ScenarioEvent[] = [];
    const running = (async () => {
      const sample = scenario([message(1, 'x', parallel), message(2, 'y', parallel), message(3, M(1))]);
      for await (const event of start(sample, { ports, signal: controller.signal })) {
        events.push(event);
        if (event.type !== 'message.succeeded') continue;
        while (ports.inFlight.now > 0) await new Promise(setImmediate);
        controller.abort();
      }
    })();
    await expect(running).rejects.toThrow();
    expect(short(events)).toEqual(['+1', '+2', '1=x', '2=y']);
  });

  test('before it began sends nothing', async () => {
    const ports = fakePorts();
    await expect(run(scenario([message(1, 'x')]), { ports, signal: AbortSignal.abort() })).rejects.toThrow();
    expect(ports.prompts).toEqual([]);
  });

  test('by its caller, who asks for no more events, aborts what is in flight', async () => {
    const ports = fakePorts({ llm: () => 'hang' });
    for await (const event of start(scenario([message(1, 'x', parallel), message(2, 'y')]), { ports }))
      if (event.type === 'message.started' && event.message === 2) break;
    // The abort takes effect over several microtasks, of which 50 are more than enough.
    for (let turn = 0; turn < 50; turn++) await undefined;
    expect(ports.inFlight.now).toBe(0);
  });
});
