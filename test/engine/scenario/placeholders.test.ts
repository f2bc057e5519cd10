import { describe, expect, test } from '@jest/globals';
import { parseTemplate } from '../../../src/engine/scenario/placeholders.js';
import type { InsertedVariable, Scenario } from '../../../src/engine/scenario/scenario.js';
import { cpuSecondsOf, LINEAR_SECONDS } from '../../support/processes/cpu-seconds.js';
import { fakePorts } from '../fake-ports.js';
import { M, message, nth, prompt, result, run, scenario, short, V, variable } from './samples.js';

const colours = variable(1, ['red', 'green', 'blue'], ['grey']);

async function filled(content: string, inserted: InsertedVariable[] = [], variables = [colours]) {
  const { finalResult, error } = await result(scenario([message(1, content)], variables, inserted));
  return error?.code ?? finalResult;
}

describe('a placeholder of a variable', () => {
  test.each([
    ['picks a value by name', `a ${V(1, 12)} car`, 'a green car'],
    ['picks an inactive value by name', V(1, 14), 'grey'],
    ['picks the first active value', nth(0, 1), 'red'],
    ['picks the third active value', nth(2, 1), 'blue'],
    ['passes over inactive values when it counts', nth(3, 1), 'dangling_placeholder'],
    ['needs no name to count', '<variable>1,1</variable>', 'green'],
    ['may have an empty name to count', '<variable>1,1,</variable>', 'green'],
    ['may have blanks around its numbers', '<variable> -1 , 1,\n11 </variable>', 'red'],
    ['may appear next to others', `${V(1, 11)}${V(1, 12)}`, 'redgreen'],
    ['dangles when the variable is not there', V(9, 11), 'dangling_placeholder'],
    ['dangles when the value is not there', V(1, 99), 'dangling_placeholder'],
    ['dangles when the value is another variable’s', V(2, 11), 'dangling_placeholder'],
    ['dangles without a name', '<variable>-1,1</variable>', 'dangling_placeholder'],
    ['dangles below -1', '<variable>-2,1,11</variable>', 'dangling_placeholder'],
    ['dangles beyond any id', '<variable>-1,99999999999999999999,11</variable>', 'dangling_placeholder'],
  ])('%s', async (_title, content, expected) => {
    expect(await filled(content)).toBe(expected);
  });

  test('finds an inserted value of its pair in place of the own one, wherever it is looked up', async () => {
    const inserted = [
      { variable: 1, variableName: 12, value: 'olive' },
      { variable: 1, variableName: 11, value: 'once' },
      { variable: 1, variableName: 11, value: '' },
      { variable: 9, variableName: 91, value: 'of no variable' },
    ];
    expect(await filled(`${V(1, 11)}|${V(1, 12)}|${nth(1, 1)}|${V(9, 91)}`, inserted)).toBe(
      '|olive|olive|of no variable',
    );
    // In a loop over the variable the placeholder is the current item: its name is not read.
    const looped = scenario([message(1, V(1, 0), { isLoop: true, loopVariable: 1 })], [colours], inserted);
    expect((await result(looped)).processedMessages[0]?.results).toEqual(['', 'olive', 'blue']);
  });

  test('finds copies by their own ids and by those of their originals', async () => {
    const copy = {
      id: 501,
      originalId: 1,
      key: 'v1',
      values: [{ id: 511, originalId: 11, name: 'n1', value: 'red', isActive: true }],
    };
    const all = [V(1, 11), V(501, 511), V(1, 511), V(501, 11)].join();
    expect(await filled(all, [], [copy])).toBe('red,red,red,red');
    for (const [variableId, name] of [
      [1, 11],
      [501, 511],
      [1, 511],
    ] as const) {
      const inserted = [
        { variable: 501, variableName: 11, value: 'before' },
        { variable: variableId, variableName: name, value: 'new' },
      ];
      expect(await filled(all, inserted, [copy])).toBe('new,new,new,new');
    }
  });
});

describe('a placeholder of a message', () => {
  const three = message(1, 'round', { isLoop: true, loopCount: 3 });
  let count = 0;
  const numbered = () => {
    count = 0;
    return fakePorts({ llm: ({ messages }) => ({ text: `${messages[0]?.content} ${count++}`, usage }) });
  };
  const usage = { provider: 'fake', model: 'm', promptTokens: 0, completionTokens: 0, costUsd: '0' };

  test.each([
    ['finds the first result', M(1), 'round 0 3'],
    ['finds the third result', M(1, 2), 'round 2 3'],
    ['dangles beyond the last result', M(1, 3), 'dangling_placeholder'],
    ['dangles below 0', M(1, -1), 'dangling_placeholder'],
    ['dangles when the message is not there', M(9), 'dangling_placeholder'],
    ['dangles when the message is its own', M(2), 'dangling_placeholder'],
    ['dangles when the message comes later', M(3), 'dangling_placeholder'],
  ])('%s', async (_title, content, expected) => {
    const sample = scenario([three, message(2, content), message(3, 'later')]);
    const { processedMessages, error } = await result(sample, { ports: numbered() });
    expect(error?.code ?? processedMessages[1]?.results[0]).toBe(expected);
  });

  test('finds copies by either id', async () => {
    const copy = message(501, 'hello', { originalId: 1, sortId: 0 });
    expect((await result(scenario([copy, message(502, `${M(1)} ${M(501)}`)]))).finalResult).toBe('hello hello');
  });

  test('finds the earlier results of its own loop', async () => {
    const skipFirst = { type: 'message' as const, matching: 'empty' as const, value: '', action: 'skip' as const };
    const sample = scenario([
      message(1, '', {
        isLoop: true,
        loopCount: 3,
        prompts: [
          prompt(1, 'start'),
          prompt(2, `${M(1)} again`, { conditions: [{ ...skipFirst, isEnabled: true }] }),
          prompt(3, 'go'),
        ],
      }),
    ]);
    const ports = fakePorts();
    await run(sample, { ports });
    expect(ports.prompts.map(({ messages }) => messages.map(({ content }) => content))).toEqual([
      ['start', 'go'],
      ['start', 'go again', 'go'],
      ['start', 'go again', 'go'],
    ]);
  });

  test('finds nothing when the message was skipped', async () => {
    const sample = scenario([message(1, 'x', { isLoop: true, loopCount: 0 }), message(2, M(1))]);
    expect(short(await run(sample))).toEqual(['-1.0', '2!dangling_placeholder', 'run!dangling_placeholder']);
  });
});

test('is never looked for in an inserted value', async () => {
  const sample: Scenario = scenario(
    [message(1, V(1, 11)), message(2, M(1))],
    [variable(1, [`${M(1)} ${V(1, 12)} {{ input }} $& $1`, 'secret'])],
  );
  expect((await result(sample)).finalResult).toBe(`${M(1)} ${V(1, 12)} {{ input }} $& $1`);
});

test('that finds nothing is quoted in the error, a long one in part', async () => {
  const dangling = await result(scenario([message(1, `a ${V(9, 8)} b`)]));
  expect(dangling).toMatchObject({
    status: 'error',
    error: { message: '<variable>-1,9,8</variable> refers to a variable that does not exist' },
  });
  const long = await result(scenario([message(1, `<variable>-1,${'9'.repeat(100_000)},8</variable>`)]));
  expect(long.error?.message.length).toBeLessThan(300);
});

test('has only numbers; other tags stay text', async () => {
  const text = '<message>Hello</message> <variable>a,b,c</variable> <variable>-1,1,11 <message>0</message>';
  expect(await filled(text)).toBe(text);
});

test('is found in linear time in hostile content', () => {
  const seconds = cpuSecondsOf(() => {
    for (const repeatedPart of ['<variable>1', '<variable>-1,1,', '<message>0, ', ' ', '1'])
      for (const start of ['', '1,', '1,1,', '1,1,1'])
        parseTemplate(`<variable>${start}${repeatedPart.repeat(200_000)}`);
  });
  expect(seconds).toBeLessThan(LINEAR_SECONDS);
});

test('whose values grow without limit fails the run before anything is sent', async () => {
  const big = 'x'.repeat(1024 * 1024);
  const sample = scenario([message(1, V(1, 11).repeat(9))], [variable(1, [big])]);
  const ports = fakePorts();
  expect(short(await run(sample, { ports }))).toEqual(['1!prompts_too_large', 'run!prompts_too_large']);
  expect(ports.prompts).toEqual([]);
});
