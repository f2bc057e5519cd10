import { describe, expect, test } from '@jest/globals';
import type { Condition, Message } from '../../../src/engine/scenario/scenario.js';
import { fakePorts } from '../fake-ports.js';
import { condition, M, message, prompt, result, run, scenario, short, V, variable } from './samples.js';

/** Whether a condition on the text is met. */
async function isMet(
  subject: string,
  matching: Condition['matching'],
  value: string,
  more: Pick<Condition, 'ignoreCase'> = {},
) {
  const conditions = [condition(matching, value, { action: 'stop', ...more })];
  const sample = scenario([message(1, V(1, 11), { conditions })], [variable(1, [subject])]);
  const end = (await run(sample)).at(-1);
  if (end?.type === 'run.failed') return end.error.code;
  return end?.type === 'run.finished' && end.isStopped;
}

describe('a condition', () => {
  test.each<[string, Condition['matching'], string, boolean | string]>([
    ['yes', 'equal', 'yes', true],
    ['yes\n', 'equal', ' yes', true],
    ['Yes', 'equal', 'yes', false],
    ['1.0', 'equal', '1', true],
    ['', 'equal', '', true],
    ['yes', 'not_equal', 'no', true],
    ['yes ', 'not_equal', 'yes', false],
    ['a yes b', 'contains', 'yes', true],
    ['a b', 'contains', 'yes', false],
    ['a b', 'not_contains', 'yes', true],
    ['a yes b', 'not_contains', 'yes', false],
    ['10', 'greater', '9', true],
    ['9', 'greater', '10', false],
    ['9', 'greater', '9', false],
    ['b', 'greater', 'a', true],
    ['9', 'less', '10', true],
    ['9 apples', 'less', '10', false],
    [' \n', 'empty', 'ignored', true],
    ['x', 'empty', '', false],
    ['x', 'not_empty', '', true],
    [' ', 'not_empty', '', false],
    ['order 66', 'regex', '^order \\d+$', true],
    ['ORDER 66', 'regex', 'order', false],
    ['ORDER 66', 'regex', '(?i)order', true],
    ['x', 'regex', '', true],
    ['10', 'greater_or_equal', '10', true],
    ['9', 'greater_or_equal', '10', false],
    ['9', 'less_or_equal', '9', true],
    ['order 66\n', 'starts_with', 'order', true],
    ['order 66\n', 'ends_with', '66', true],
    ['order', 'ends_with', '66', false],
    ['b', 'in', 'a, b', true],
    ['2', 'in', '[1, 2.0]', true],
    ['c', 'not_in', 'a,b', true],
    ['5', 'between', '1,10', true],
    ['10', 'between', '[1, 10]', true],
    ['11', 'between', '1,10', false],
    ['11', 'between', '1', 'invalid_condition'],
    ['2026-01-01', 'before', '2026-01-02', true],
    ['2026-01-02T10:00:00Z', 'after', '2026-01-02', true],
    ['2026-01-02T10:00:00Z', 'on_date', '2026-01-02', true],
    ['soon', 'before', '2026-01-02', 'invalid_condition'],
    ['1.5', 'is_number', '', true],
    ['one', 'is_number', '', false],
    ['true', 'is_boolean', '', true],
    ['[1]', 'is_list', '', true],
    ['{"a": 1}', 'is_object', '', true],
    ['[1]', 'is_object', '', false],
    ['text', 'is_text', '', true],
    ['', 'is_text', '', true],
    ['"1"', 'is_text', '', true],
    ['1', 'is_text', '', false],
    ['true', 'is_text', '', false],
    ['null', 'is_text', '', false],
    ['[1]', 'is_text', '', false],
    ['{"a": 1}', 'is_text', '', false],
    ['', 'exists', '', true],
    ['x', 'not_exists', '', false],
    ['x', 'regex', '(', 'invalid_regex'],
    ['x', 'regex', '(?=x)', 'invalid_regex'],
    ['x', 'regex', '(x)\\1', 'invalid_regex'],
    ['x', 'regex', 'x{1001}', 'invalid_regex'],
  ])('on %j: %s %j', async (subject, matching, value, expected) => {
    expect(await isMet(subject, matching, value)).toBe(expected);
  });

  test.each<[string, Condition['matching'], string, boolean]>([
    ['Yes', 'equal', 'yES', true],
    ['Yes', 'not_equal', 'yes', false],
    ['ÄRGER\n', 'equal', 'ärger', true],
    ['An ORDER', 'contains', 'order', true],
    ['An ORDER', 'not_contains', 'order', false],
    ['Order 66', 'starts_with', 'ORDER', true],
    ['Order', 'ends_with', 'DER', true],
    ['B', 'in', 'a, b', true],
    ['B', 'in', '["A", "b"]', true],
    ['B', 'not_in', 'a, b', false],
    ['ORDER 66', 'regex', '^order \\d+$', true],
    ['B', 'greater', 'a', false],
    ['2026-01-02T10:00:00Z', 'after', '2026-01-02T09:00:00Z', true],
  ])('that ignores case, on %j: %s %j', async (subject, matching, value, expected) => {
    expect(await isMet(subject, matching, value, { ignoreCase: true })).toBe(expected);
  });

  test('has the same pattern with and without regard to case', async () => {
    const conditions = [condition('regex', 'yes'), condition('regex', 'yes', { ignoreCase: true, action: 'stop' })];
    const sample = scenario([message(1, V(1, 11), { conditions })], [variable(1, ['YES'])]);
    expect(short(await run(sample))).toEqual(['run.=null']);
  });

  test.each([
    ['that is too long', 'x', 'x'.repeat(1001), 'invalid_regex'],
    ['whose repetitions make it too large', 'x', '.{1000}'.repeat(60), 'invalid_regex'],
    ['that costs too much on a long text', 'x'.repeat(30_000), '\\pL{1000}y', 'regex_too_costly'],
  ])('refuses a pattern %s', async (_title, subject, pattern, code) => {
    expect(await isMet(subject, 'regex', pattern)).toBe(code);
  });

  test('whose pattern takes exponential time with backtracking has a result', async () => {
    expect(await isMet(`${'a'.repeat(100_000)}!`, 'regex', '^(a+)+$')).toBe(false);
  });
});

describe('the action of a condition that is met', () => {
  const met = (action: Condition['action']) => condition('not_empty', '', { action });
  const values = [variable(1, ['x'])];
  const sampleWith = (second: Partial<Message>) =>
    scenario([message(1, 'first'), message(2, V(1, 11), second), message(3, 'third')], values);
  const onPrompt = (action: Condition['action']) => ({
    prompts: [prompt(1, V(1, 11), { conditions: [met(action)] }), prompt(2, 'other')],
  });

  test.each<[string, Partial<Message>, string[]]>([
    ['skips a message', { conditions: [met('skip')] }, ['-2', '+3', '3=third', 'run=third']],
    ['skips a prompt', onPrompt('skip'), ['+2', '2=other', '+3', '3=third', 'run=third']],
    [
      'skips a message all of whose prompts are skipped',
      { prompts: [prompt(1, V(1, 11), { conditions: [met('skip')] })] },
      ['-2', '+3', '3=third', 'run=third'],
    ],
    ['sends a message with the action use', { conditions: [met('use')] }, ['+2', '2=x', '+3', '3=third', 'run=third']],
    [
      'is to skip if none matches and one would use it',
      { conditions: [condition('empty', '', { action: 'use' })] },
      ['-2', '+3', '3=third', 'run=third'],
    ],
    ['stops the run at a message', { conditions: [met('stop')] }, ['run.=first']],
    ['stops the run at a prompt', onPrompt('stop'), ['run.=first']],
    ['fails the run at a message', { conditions: [met('fail')] }, ['2!condition_failed', 'run!condition_failed']],
    ['fails the run at a prompt', onPrompt('fail'), ['2!condition_failed', 'run!condition_failed']],
    [
      'is the first one’s',
      { conditions: [condition('empty', '', { action: 'fail' }), met('stop'), met('fail')] },
      ['run.=first'],
    ],
    [
      'is nothing when the condition is disabled',
      {
        conditions: [
          { ...met('fail'), isEnabled: false },
          { ...condition('regex', '('), isEnabled: false },
        ],
      },
      ['+2', '2=x', '+3', '3=third', 'run=third'],
    ],
  ])('%s', async (_title, second, expected) => {
    expect(short(await run(sampleWith(second)))).toEqual(['+1', '1=first', ...expected]);
  });

  test('comes before the placeholders of what it skips', async () => {
    const conditions = [condition('empty', '')];
    const second = message(2, '', {
      prompts: [prompt(1, 'kept'), prompt(2, `${V(1, 12)}`, { conditions })],
    });
    expect((await result(scenario([second], values))).finalResult).toBe('kept');
  });

  test('names the condition when it fails the run', async () => {
    const { error } = await result(scenario([message(1, V(1, 11), { conditions: [met('fail')] })], values));
    expect(error?.message).toBe('a condition of message m1 was met: not_empty ""');
  });
});

describe('a refused condition', () => {
  const disabled = { ...condition('regex', '('), isEnabled: false };

  test.each<[string, Condition, string]>([
    [
      'without a subject',
      condition('equal', 'x', { type: 'message' }),
      'conditions[1] of prompt p2 must name a message, or its content have a placeholder of one',
    ],
    [
      'with an invalid pattern',
      condition('regex', '('),
      'the regex of conditions[1] of prompt p2 must be a pattern in the syntax of RE2: ',
    ],
    ['that cannot compare its subject', condition('before', '2026-01-02'), 'conditions[1] of prompt p2 (before): '],
    ['of an unknown variable', condition('equal', 'x', { variable: 99 }), 'variable 99 in conditions[1] of prompt p2'],
  ])('%s is named by its index in its prompt', async (_title, refused, expected) => {
    const prompts = [prompt(1, 'fine'), prompt(2, V(1, 11), { conditions: [disabled, refused] })];
    const { error } = await result(scenario([message(1, '', { prompts })], [variable(1, ['soon'])]));
    expect(error?.message).toContain(expected);
  });
});

describe('the subject of a condition', () => {
  const variables = [variable(1, ['one', 'two']), variable(2, ['three'], ['four'])];
  const stops = async (subject: Partial<Condition>, value: string, content = `${V(2, 21)} ${M(1)}`) => {
    const conditions = [condition('equal', value, { action: 'stop', ...subject })];
    const sample = scenario([message(1, 'first'), message(2, content, { conditions })], variables);
    const end = (await run(sample)).at(-1);
    return end?.type === 'run.failed' ? end.error.code : end?.type === 'run.finished' && end.isStopped;
  };

  test.each<[string, Partial<Condition>, string]>([
    ['the first placeholder of a variable', {}, 'three'],
    ['the first placeholder of a message', { type: 'message' }, 'first'],
    ['a value by both ids', { variable: 1, variableName: 12 }, 'two'],
    ['a value by its own id', { variableName: 22 }, 'four'],
    ['the first active value of a variable', { variable: 1 }, 'one'],
    ['the last result of a message', { type: 'message', message: 1 }, 'first'],
    ['the placeholder where the ids are null', { variable: null, variableName: null, message: null }, 'three'],
  ])('is %s', async (_title, subject, value) => {
    expect(await stops(subject, value)).toBe(true);
    expect(await stops(subject, 'something else')).toBe(false);
  });

  test.each<[string, Partial<Condition>, string]>([
    ['a variable', { variable: 99 }, 'dangling_placeholder'],
    ['a text for its language', { type: 'language', variable: 99 }, 'dangling_placeholder'],
    ['a message for its language', { type: 'language', message: 99 }, 'dangling_placeholder'],
    ['a value', { variableName: 99 }, 'dangling_placeholder'],
    ['a message', { type: 'message', message: 99 }, 'dangling_placeholder'],
    ['a message that comes later', { type: 'message', message: 2 }, 'dangling_placeholder'],
  ])('that names %s that does not exist fails the run', async (_title, subject, code) => {
    expect(await stops(subject, 'x')).toBe(code);
  });

  test.each([['variable'], ['message'], ['language']] as const)('must exist: a %s', async type => {
    expect(await stops({ type }, 'x', 'no placeholder')).toBe('condition_without_subject');
  });

  test.each<Condition['matching']>(['empty', 'not_exists', 'is_text'])(
    'is missing and the empty text where a known message has no result, or a variable no such value: %s',
    async matching => {
      const skipped = message(1, 'x', { isLoop: true, loopCount: 0 });
      for (const subject of [
        { type: 'message' as const, message: 1 },
        { type: 'variable' as const, variable: 3 },
      ]) {
        const met = condition(matching, '', { action: 'stop', ...subject });
        const second = message(2, 'y', { conditions: [condition('exists', '', { ...subject, action: 'fail' }), met] });
        expect(short(await run(scenario([skipped, second], [variable(3, [])])))).toEqual(['-1.0', 'run.=null']);
      }
    },
  );

  test('is the current item in a loop over its variable, whichever name refers to it', async () => {
    for (const named of [{}, { variable: 1 }, { variable: 1, variableName: 11 }, { variableName: 12 }]) {
      const conditions = [condition('equal', 'two', named)];
      const sample = scenario([message(1, V(1, 11), { isLoop: true, loopVariable: 1, conditions })], variables);
      expect(short(await run(sample))).toEqual(['+1.0', '1.0=one', '-1.1', 'run=one']);
    }
  });

  test('of an asynchronous one is waited for', async () => {
    const conditions = [condition('equal', 'first', { type: 'message', message: 1, action: 'stop' })];
    const sample = scenario([message(1, 'first', { isAsync: true }), message(2, 'second', { conditions })]);
    const ports = fakePorts();
    expect(short(await run(sample, { ports }))).toEqual(['+1', '1=first', 'run.=first']);
  });
});

describe('a condition on the language', () => {
  const texts = ['The parcel has not arrived yet.', 'Das Paket ist noch nicht angekommen.'];
  const content = `${V(1, 12)} ${M(1)}`;
  const stops = async (more: Partial<Condition>, matching: Condition['matching'] = 'equal', value = 'de') => {
    const conditions = [condition(matching, value, { action: 'stop', type: 'language', ...more })];
    const sample = scenario(
      [message(1, 'Le colis n’est pas encore arrivé.', { isAsync: true }), message(2, content, { conditions })],
      [variable(1, texts), variable(2, ['ok']), variable(3, [])],
    );
    const end = (await run(sample)).at(-1);
    return end?.type === 'run.failed' ? end.error.code : end?.type === 'run.finished' && end.isStopped;
  };

  test.each<[string, Partial<Condition>, string]>([
    ['the first placeholder of the content', {}, 'de'],
    ['the first active value of a variable', { variable: 1 }, 'en'],
    ['a value by both ids', { variable: 1, variableName: 12 }, 'de'],
    ['a value by its own id', { variableName: 11 }, 'en'],
    ['the last result of a message, which it waits for', { message: 1 }, 'fr'],
  ])('examines %s', async (_title, subject, code) => {
    expect(await stops(subject, 'equal', code)).toBe(true);
    expect(await stops(subject, 'not_equal', code)).toBe(false);
  });

  test('fails the run when the conditions of one message examine too many texts', async () => {
    const conditions = (count: number) =>
      Array.from({ length: count }, () => condition('equal', 'fr', { type: 'language' }));
    const sample = (count: number) =>
      scenario([message(1, V(1, 11), { conditions: conditions(count) })], [variable(1, texts)]);
    expect(short(await run(sample(100))).at(-1)).toBe(`run=${texts[0]}`);
    expect((await run(sample(101))).at(-1)).toMatchObject({ error: { code: 'condition_too_costly' } });
  });

  test('examines a placeholder of a message that comes first', async () => {
    const conditions = [condition('equal', 'en', { type: 'language', action: 'stop' })];
    const second = message(2, `${M(1)} ${V(1, 12)}`, { conditions });
    expect(short(await run(scenario([message(1, texts[0] ?? ''), second], [variable(1, texts)]))).at(-1)).toBe(
      `run.=${texts[0]}`,
    );
  });

  test.each<[Condition['matching'], string, boolean]>([
    ['equal', ' DE\n', true],
    ['not_equal', 'DE', false],
    ['in', 'en, De', true],
    ['in', '["en", "DE"]', true],
    ['not_in', 'en,fr', true],
    ['contains', 'D', true],
    ['regex', '^(DE|FR)$', true],
    ['not_empty', '', true],
    ['exists', '', true],
    ['is_text', '', true],
  ])('compares the code without regard to case: %s %j', async (matching, value, expected) => {
    expect(await stops({}, matching, value)).toBe(expected);
  });

  test.each<[number, Condition['matching'], boolean]>([
    [2, 'empty', true],
    [2, 'exists', true],
    [2, 'not_equal', true],
    [2, 'equal', false],
    [3, 'empty', true],
    [3, 'exists', false],
    [3, 'not_exists', true],
  ])('has the empty text where none is recognised, on variable %i: %s', async (id, matching, expected) => {
    expect(await stops({ variable: id }, matching)).toBe(expected);
  });

  test('loads the detector only if it is enabled', async () => {
    for (const [isEnabled, type, loads] of [
      [true, 'language', 1],
      [false, 'language', 0],
      [true, 'variable', 0],
    ] as const) {
      let count = 0;
      const languages = {
        loadDetector: async () => {
          count++;
          return () => 'de';
        },
      };
      const conditions = [condition('equal', 'de', { type, isEnabled })];
      const prompts = [prompt(1, V(1, 11), { conditions })];
      await run(scenario([message(1, '', { prompts })], [variable(1, ['x'])]), {
        ports: { ...fakePorts(), languages },
      });
      expect(count).toBe(loads);
    }
  });
});
