import { expect, test } from '@jest/globals';
import type { WaitFor } from '../../src/engine/call-context.js';
import { CallTimer } from '../../src/engine/call-timer.js';
import type { CallContext, Clock, ModelRequest } from '../../src/engine/ports.js';
import { Calls } from '../../src/engine/scenario/calls.js';
import { Call, type CallPurpose } from '../../src/engine/workflow/run/call.js';
import { toRecordedLevels } from '../../src/engine/workflow/run/recorded-state.js';
import { type FakePorts, fakePorts, usageOf } from './fake-ports.js';
import { llm, run, short, trigger, workflow } from './samples.js';

const t = trigger('t');

/** A model that makes each call wait for a slot, and then works. */
function busyModel(waitMs: number, workMs: number): FakePorts {
  const ports = fakePorts();
  const complete = async (request: ModelRequest, call: CallContext) => {
    await call.waitFor!(ports.clock.sleep(waitMs, call.signal));
    await ports.clock.sleep(workMs, call.signal);
    return { text: 'Done.', usage: usageOf(request) };
  };
  return Object.assign(ports, { llm: { complete } });
}

const agent = (timeout: number) => ({
  id: 'a',
  type: 'agent-node',
  data: { messages: [{ role: 'user', message: 'Go.' }], settings: { model_name: 'echo' }, timeout_seconds: timeout },
});

test('a node that calls a model waits for a slot outside of its time limit', async () => {
  const events = await run(workflow([t, llm('m', 'Hi?', { timeout_seconds: 10 })], ['t>m']), {
    ports: busyModel(300_000, 9_000),
  });
  expect(events.find(event => event.type === 'node.succeeded' && event.node === 'm')).toMatchObject({
    waitedMs: 300_000,
  });
  const late = await run(workflow([t, llm('m', 'Hi?', { timeout_seconds: 10 })], ['t>m']), {
    ports: busyModel(1, 10_001),
  });
  expect(short(late).at(-1)).toBe('run!timeout');
});

test('an agent waits for slots outside of its time limit, and another worker counts the same', async () => {
  const events = await run(workflow([t, agent(10)], ['t>a']), { ports: busyModel(300_000, 9_000) });
  const step = events.findIndex(event => event.type === 'node.step.succeeded');
  expect(events[step]).toMatchObject({ content: '{"text":"Done.","toolCalls":[]}', waitedMs: 300_000 });
  expect(
    toRecordedLevels(events.slice(0, step + 1))
      .get('')
      ?.unfinished.get('a')?.workedMs,
  ).toBe(9_000);
  const late = await run(workflow([t, agent(10)], ['t>a']), { ports: busyModel(300_000, 10_001) });
  expect(late.find(event => event.type === 'node.failed')).toMatchObject({
    error: { code: 'timeout' },
    waitedMs: 300_000,
  });
});

test('a call waits for an unavailable database outside of its time limit', async () => {
  const ports = fakePorts();
  const { clock } = ports;
  let waitFor: WaitFor = turn => turn;
  const observed: Clock = {
    now: () => clock.now(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    observeWaits(observe, work) {
      waitFor = observe;
      return work();
    },
  };
  const ask = async (call: Pick<CallContext, 'signal'>) => {
    await waitFor(clock.sleep(300_000, call.signal));
    await clock.sleep(9_000, call.signal);
    return { text: 'Done.', usage: usageOf({ settings: { model_name: 'echo' } }) };
  };
  Object.assign(ports, { clock: observed, llm: { complete: (_: ModelRequest, call: CallContext) => ask(call) } });
  for (const node of [llm('m', 'Hi?', { timeout_seconds: 10 }), agent(10)]) {
    const events = await run(workflow([t, node], [`t>${node.id}`]), { ports });
    expect(events.at(-1)).toMatchObject({ type: 'run.succeeded' });
  }
  await new Calls(observed, 10_000).execute('k', ask);
});

test('overlapping waits of parallel steps count once, and pause the timer of an enclosing loop once', async () => {
  const { clock } = fakePorts();
  const loopTimer = new CallTimer(clock);
  const stepsTimer = new CallTimer(clock, loopTimer);
  const purpose = { runId: 'r', node: { id: 'a' }, iteration: '', clock, stepsTimer } as unknown as CallPurpose;
  const step = async (workMs: number, waitMs: number) => {
    const call = new Call({ ...purpose, step: `s${workMs}` });
    await clock.sleep(workMs, call.signal);
    await call.waitFor(clock.sleep(waitMs, call.signal));
    return call.takeWaitedMs();
  };
  const taken = await Promise.all([step(0, 300), step(100, 400), step(1_000, 50)]);
  expect(taken).toEqual([300, 200, 50]);
  expect([stepsTimer.waitedMs, loopTimer.waitedMs]).toEqual([550, 550]);
});

test('a message of a scenario waits for a slot outside of its time limit', async () => {
  const { clock } = fakePorts();
  const calls = new Calls(clock, 10_000);
  const ask = (workMs: number) => async (call: CallContext) => {
    await call.waitFor!(clock.sleep(300_000, call.signal));
    await clock.sleep(workMs, call.signal);
    return 'answer';
  };
  expect(await calls.execute('k', ask(9_000))).toBe('answer');
  await expect(calls.execute('k', ask(10_001))).rejects.toMatchObject({ code: 'timeout' });
});
