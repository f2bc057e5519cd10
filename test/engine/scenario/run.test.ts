import { describe, expect, test } from '@jest/globals';
import type { Message } from '../../../src/engine/scenario/scenario.js';
import { fakePorts, upstreamDown, usageOf } from '../fake-ports.js';
import { M, message, prompt, result, run, scenario, short, V, variable } from './samples.js';

const loop = (rounds: Partial<Message>): Partial<Message> => ({ isLoop: true, ...rounds });
const parallel = { isAsync: true };

describe('the order of a run', () => {
  test('follows sort_id, then the id, whatever the order of the rows', async () => {
    const rows = [message(3, 'c', { sortId: 1 }), message(1, 'a', { sortId: 2 }), message(2, 'b', { sortId: 1 })];
    expect(short(await run(scenario(rows)))).toEqual(['+2', '2=b', '+3', '3=c', '+1', '1=a', 'run=a']);
  });

  test('ends finished without a result where there is nothing to do', async () => {
    expect(short(await run(scenario([])))).toEqual(['run=null']);
  });

  test('executes an asynchronous message concurrently with the next ones until one needs its result', async () => {
    const sample = scenario([message(1, 'a', parallel), message(2, 'b', parallel), message(3, 'c'), message(4, M(1))]);
    const ports = fakePorts();
    expect(short(await run(sample, { ports }))).toEqual(['+1', '+2', '+3', '1=a', '2=b', '3=c', '+4', '4=a', 'run=a']);
    expect(ports.inFlight.most).toBe(3);
  });

  test('waits for the asynchronous messages at the end, and the last one’s result is the run’s', async () => {
    expect(short(await run(scenario([message(1, 'a'), message(2, 'b', parallel)])))).toEqual([
      '+1',
      '1=a',
      '+2',
      '2=b',
      'run=b',
    ]);
  });

  test('keeps at most maxParallel messages in flight', async () => {
    const rows = Array.from({ length: 9 }, (_, index) => message(index + 1, 'x', parallel));
    const ports = fakePorts();
    expect(short(await run(scenario(rows), { ports, limits: { maxParallel: 2 } })).at(-1)).toBe('run=x');
    expect(ports.inFlight.most).toBe(2);
  });

  test('starts nothing after a loop that may stop the run', async () => {
    const stop = { isEnabled: true, type: 'variable', matching: 'equal', value: 'two', action: 'stop' } as const;
    const rows = [
      message(1, V(1, 0), { ...parallel, ...loop({ loopVariable: 1 }), conditions: [stop] }),
      message(2, 'after'),
    ];
    expect(short(await run(scenario(rows, [variable(1, ['one', 'two', 'three'])])))).toEqual([
      '+1.0',
      '1.0=one',
      'run.=one',
    ]);
  });
});

describe('a loop', () => {
  const values = [variable(1, ['x', 'y'], ['z']), variable(2, [])];

  test.each<[string, Partial<Message>, (string | undefined)[]]>([
    ['repeats loop_count times', loop({ loopCount: 3 }), ['x', 'x', 'x']],
    ['repeats once for each active value', loop({ loopVariable: 1 }), ['x', 'y']],
    ['takes the variable where a count is given too', loop({ loopVariable: 1, loopCount: 9 }), ['x', 'y']],
    ['is none without is_loop', { loopCount: 3, loopVariable: 1 }, ['x']],
    ['over nothing is skipped', loop({ loopVariable: 2 }), []],
    ['of no rounds is skipped', loop({ loopCount: 0, loopVariable: null }), []],
  ])('%s', async (_title, more, results) => {
    const { processedMessages, status } = await result(scenario([message(1, V(1, 11), more)], values));
    expect(status).toBe('finished');
    expect(processedMessages).toMatchObject([{ results, status: results.length > 0 ? 'finished' : 'skipped' }]);
  });

  test.each<[string, Partial<Message>, string]>([
    ['of a million rounds', loop({ loopCount: 1_000_000 }), 'invalid_loop'],
    ['of one round too many', loop({ loopCount: 1001 }), 'invalid_loop'],
    ['over too many values', loop({ loopVariable: 3 }), 'invalid_loop'],
    ['of less than no rounds', loop({ loopCount: -1 }), 'invalid_loop'],
    ['of half a round', loop({ loopCount: 1.5 }), 'invalid_loop'],
    ['without a count or a variable', loop({ loopCount: null }), 'invalid_loop'],
    ['over a variable that is not there', loop({ loopVariable: 99 }), 'dangling_placeholder'],
  ])('%s fails the run before anything is sent', async (_title, more, code) => {
    const many = variable(3, Array.from({ length: 1001 }, String));
    const ports = fakePorts();
    const sample = scenario([message(1, 'first'), message(2, 'x', more)], [...values, many]);
    expect(short(await run(sample, { ports }))).toEqual([`run!${code}`]);
    expect(ports.prompts).toEqual([]);
  });

  test('of a thousand rounds sends a thousand messages, each with a key of its own', async () => {
    const keys = new Set<string>();
    const ports = fakePorts({
      llm: (request, { idempotencyKey }) => {
        keys.add(idempotencyKey);
        return { text: 'x', usage: usageOf(request) };
      },
    });
    const { processedMessages, spent } = await result(scenario([message(1, 'x', loop({ loopCount: 1000 }))]), {
      ports,
    });
    expect(processedMessages[0]?.results).toHaveLength(1000);
    expect(keys.size).toBe(1000);
    expect(keys).toContain('scenario-run-7:1:999');
    expect(spent).toEqual({ promptTokens: 3000, completionTokens: 2000, costUsd: '1', isCostKnown: true });
  });

  test('gives every loop its own item', async () => {
    const all = [variable(1, ['x', 'y']), variable(2, ['1', '2'])];
    const content = `${V(1, 11)}${V(2, 22)}`;
    const sample = scenario(
      [message(1, content, loop({ loopVariable: 1 })), message(2, content, loop({ loopVariable: 2 }))],
      all,
    );
    expect((await result(sample)).processedMessages.map(({ results }) => results)).toEqual([
      ['x2', 'y2'],
      ['x1', 'x2'],
    ]);
  });
});

describe('the request to the model', () => {
  test('keeps prompts of the same role apart, in the order of sort_id, image prompts as system texts', async () => {
    const prompts = [
      prompt(1, 'second', { sortId: 2 }),
      prompt(2, 'first', { sortId: 1 }),
      prompt(3, 'more', { role: 'positive' }),
      prompt(4, 'less', { role: 'negative' }),
      prompt(5, 'rules', { role: 'system' }),
      prompt(6, 'so far', { role: 'assistant' }),
    ];
    const parameters = { model_name: 'm', temperature: 0.5, max_tokens: 9, top_p: null, colour: 'red' };
    const ports = fakePorts();
    await run(scenario([message(1, '', { prompts, parameters, provider: 'openai' })]), { ports });
    expect(ports.prompts).toEqual([
      {
        provider: 'openai',
        settings: { model_name: 'm', temperature: 0.5, max_tokens: 9 },
        messages: [
          { role: 'user', content: 'first' },
          { role: 'user', content: 'second' },
          { role: 'system', content: 'more' },
          { role: 'system', content: 'less' },
          { role: 'system', content: 'rules' },
          { role: 'assistant', content: 'so far' },
        ],
      },
    ]);
  });

  test.each([[undefined], [null], ['']])('names no provider where the message’s is %j', async provider => {
    const ports = fakePorts();
    await run(scenario([message(1, 'x', { provider, parameters: {} })]), { ports });
    expect(ports.prompts).toEqual([{ messages: [{ role: 'user', content: 'x' }], settings: {} }]);
  });

  test.each([[{ temperature: 3 }], [{ temperature: '1' }], [{ max_tokens: 0 }], [{ top_p: -1 }], [{ model_name: 1 }]])(
    'is not sent with the parameters %j',
    async parameters => {
      const ports = fakePorts();
      const sample = scenario([message(1, 'x'), message(2, 'x', { parameters })]);
      expect(short(await run(sample, { ports }))).toEqual(['run!invalid_parameters']);
      expect(ports.prompts).toEqual([]);
    },
  );

  test('is not sent by a message without prompts', async () => {
    expect(short(await run(scenario([message(1, '', { prompts: [] })])))).toEqual(['run!message_without_prompts']);
  });
});

describe('the result of a run', () => {
  const priced = (costs: readonly (string | null)[]) => {
    let call = 0;
    return fakePorts({
      llm: ({ settings, messages }) => ({
        text: messages[0]?.content ?? '',
        usage: { ...usageOf({ settings }), costUsd: costs[call++] ?? null },
      }),
    });
  };

  test('sums tokens and exact costs by message and in all', async () => {
    const sample = scenario([message(1, 'a', loop({ loopCount: 2 })), message(2, 'b')]);
    const { spent, processedMessages } = await result(sample, {
      ports: priced(['0.1', '0.2', '0.00000000000000000001']),
    });
    expect(processedMessages.map(each => each.spent.costUsd)).toEqual(['0.3', '0.00000000000000000001']);
    expect(spent).toEqual({
      promptTokens: 9,
      completionTokens: 6,
      costUsd: '0.30000000000000000001',
      isCostKnown: true,
    });
  });

  test('reports that a cost is not known in full', async () => {
    const { spent, processedMessages } = await result(scenario([message(1, 'a'), message(2, 'b')]), {
      ports: priced([null, '0.2']),
    });
    expect(spent).toMatchObject({ costUsd: '0.2', isCostKnown: false });
    expect(processedMessages.map(each => each.spent.isCostKnown)).toEqual([false, true]);
  });

  test('lists the messages in their order, with keys and statuses, whichever ended first', async () => {
    const ports = fakePorts({
      llm: request => ({ text: request.messages[0]?.content ?? '', usage: usageOf(request) }),
    });
    const sample = scenario([
      message(1, 'slow', { ...parallel, ...loop({ loopCount: 5 }) }),
      message(2, 'quick', parallel),
      message(3, 'left out', loop({ loopCount: 0 })),
      message(4, V(9, 1), { prompts: [prompt(1, 'x')] }),
    ]);
    expect((await result(sample, { ports })).processedMessages).toMatchObject([
      { message: 1, key: 'm1', status: 'finished', results: new Array(5).fill('slow'), error: null },
      { message: 2, key: 'm2', status: 'finished', results: ['quick'] },
      { message: 3, key: 'm3', status: 'skipped', results: [] },
      { message: 4, key: 'm4', status: 'finished', results: ['x'] },
    ]);
  });
});

describe('a run that was interrupted', () => {
  const sample = scenario([message(1, 'a'), message(2, 'b', { isLoop: true, loopCount: 2 }), message(3, M(2, 1))]);

  test('repeats no answered call, and repeats what was in flight once', async () => {
    const whole = await run(sample);
    const cut = short(whole).indexOf('+2.1') + 1;
    const ports = fakePorts();
    const after = await run(sample, { ports, recorded: whole.slice(0, cut) });
    expect(short(after)).toEqual(['+2.1 again', '2.1=b', '+3', '3=b', 'run=b']);
    const dead = [...whole.slice(0, cut), ...after.slice(0, 1)];
    expect(short(await run(sample, { ports: fakePorts(), recorded: dead }))).toEqual([
      '2.1!interrupted',
      'run!interrupted',
    ]);
  });

  test('and had failed ends with that failure, and so does what was in flight', async () => {
    const ports = fakePorts({ llm: request => (request.messages[0]?.content === 'bad' ? upstreamDown() : 'hang') });
    const failing = scenario([message(1, 'slow', parallel), message(2, 'bad'), message(3, 'after')]);
    const whole = await run(failing, { ports });
    expect(short(whole).slice(0, 3)).toEqual(['+1', '+2', '2!upstream_error']);
    const again = fakePorts();
    const after = await run(failing, { ports: again, recorded: whole.slice(0, 3) });
    expect(short(after)).toEqual(['1!aborted', 'run!upstream_error']);
    expect(again.prompts).toEqual([]);
  });

  test('counts what it stored before towards maxBytes', async () => {
    const recorded = (await run(sample)).slice(0, 2);
    const { error } = await result(sample, { recorded, limits: { maxBytes: 3 } });
    expect(error?.code).toBe('run_too_large');
  });
});

test('two simultaneous runs of one scenario do not affect each other', async () => {
  const sample = scenario([message(1, V(1, 11), parallel), message(2, M(1))], [variable(1, ['x'])]);
  const ends = await Promise.all([run(sample), run(sample)]);
  expect(ends.map(events => short(events).at(-1))).toEqual(['run=x', 'run=x']);
});
