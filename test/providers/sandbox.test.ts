import { availableParallelism } from 'node:os';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { PortError, Script } from '../../src/engine/ports.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createSandbox, sandboxDefaults, type ThreadSandbox } from '../../src/providers/sandbox.js';
import { eventually } from '../support/eventually.js';

const sandbox = createSandbox({ size: 1 });
afterAll(() => sandbox.close());

const signal = new AbortController().signal;
const script = (code: string, more: Partial<Script> = {}): Script => ({
  code,
  input: {},
  nodes: new Map(),
  memoryMb: 16,
  timeoutMs: 120_000,
  ...more,
});
const run = (code: string, more?: Partial<Script>) => sandbox.of(1).run(script(code, more), { signal });
const failure = (code: string, more?: Partial<Script>) =>
  run(code, more).then(
    content => ({ code: 'none', message: content }),
    ({ code: name, message }: PortError) => ({ code: name, message }),
  );
const codeOf = async (code: string, more?: Partial<Script>) => (await failure(code, more)).code;

describe('the result of a script', () => {
  test.each([
    ['return "text"', 'text'],
    ['return ""', ''],
    ['return "a\\0b\\ud800"', 'a\0b\ud800'],
    ['return "né 𝄞 漢"', 'né 𝄞 漢'],
    ['return 1.5', '1.5'],
    ['return true', 'true'],
    ['return null', 'null'],
    ['return {a: [1, undefined, () => 1], b: undefined}', '{"a":[1,null,null]}'],
    ['return new Date(0)', '"1970-01-01T00:00:00.000Z"'],
    ['', ''],
    ['const unused = 1', ''],
    ['return Promise.resolve("later")', 'later'],
    ['return await new Promise(done => Promise.resolve().then(() => done("awaited")))', 'awaited'],
    ['// comment at the end\nreturn "ok" // and here', 'ok'],
  ])('of %s is %j', async (code, content) => {
    expect(await run(code)).toBe(content);
  });

  test('may use the input and earlier nodes', async () => {
    const input = { name: 'Ada\0', list: [1, { a: '\ud800' }], ['__proto__']: { x: 1 } };
    const nodes = new Map([
      ['n1', '```json\n{"answer": 42}\n```'],
      ['n2', 'no json\0'],
      ['__proto__', 'odd'],
    ]);
    const code =
      'return [input, nodes.n1.json.answer, nodes.n2.content, nodes.n2.json === undefined, Object.keys(nodes)]';
    expect(JSON.parse(await run(code, { input, nodes }))).toEqual([
      JSON.parse(JSON.stringify(input)),
      42,
      'no json\0',
      true,
      ['n1', 'n2', '__proto__'],
    ]);
  });

  test.each(['return () => 1', 'return Symbol("s")', 'return 10n', 'const a = {}; a.a = a; return a'])(
    'cannot be %s',
    async code => {
      expect(await codeOf(code)).toBe('code_result');
    },
  );

  test.each([
    ['return { m: new Map([["a", 1]]) }', /^TypeError: a Map has no JSON form; return Object\.fromEntries\(map\)/],
    ['return [new Set([1])]', /^TypeError: a Set has no JSON form; return \[\.\.\.set\]/],
    ['return { b: new Uint8Array([255, 0]) }', /^TypeError: bytes have no JSON form; store them with saveFile/],
    ['return new Float64Array(1)', /^TypeError: bytes have no JSON form/],
    ['return new ArrayBuffer(1)', /^TypeError: bytes have no JSON form/],
  ])('has a JSON form: not %s', async (source, message) => {
    expect(await failure(source)).toEqual({ code: 'code_result', message: expect.stringMatching(message) });
  });

  test('may have a form of its own', async () => {
    expect(
      await run('Map.prototype.toJSON = () => 1; return { m: new Map(), d: new Date(0), l: [...new Set([1])] }'),
    ).toBe('{"m":1,"d":"1970-01-01T00:00:00.000Z","l":[1]}');
  });

  test('cannot be larger than a text may be', async () => {
    const { code, message } = await failure('return "x".repeat(9e6)', { memoryMb: 128 });
    expect(code).toBe('code_result');
    expect(message).toContain('8388608');
  });

  test('is measured as it is, regardless of characters that its transfer escapes', async () => {
    expect(await run('return "\\n".repeat(5e6)', { memoryMb: 128 })).toHaveLength(5e6);
  });

  test('names the failing getter or toJSON', async () => {
    expect(await failure('return { get a() { throw new RangeError("mine") } }')).toEqual({
      code: 'code_result',
      message: 'RangeError: mine (line 1)',
    });
    expect(await codeOf('return { toJSON() { throw 1 } }')).toBe('code_result');
  });
});

describe('a script that fails', () => {
  test.each([
    ['throw new TypeError("no such thing")', 'TypeError: no such thing (line 1)'],
    ['const a = 1;\n\nnull.b', /^TypeError: .+ \(line 3\)$/],
    ['const a = ;', /^SyntaxError: .+ \(line 1\)$/],
    ['ok();\n}', /^SyntaxError: /],
    ['throw "text"', 'the code threw text'],
    ['throw undefined', 'the code threw undefined'],
    ['throw null', 'the code threw null'],
    ['throw {a: 1}', 'the code threw {"a":1}'],
    ['throw { get a() { throw 1 } }', 'the code threw '],
    ['const e = new Error("x"); Object.defineProperty(e, "message", {get() { throw e }}); throw e', /^Error: /],
    ['throw new Proxy({}, { getPrototypeOf() { throw 1 } })', 'the code threw '],
    ['throw Symbol("s")', 'the code threw Symbol(s)'],
    ['await new Promise(() => {})', 'the code waits for something that never happens'],
    ['const f = () => f(); f()', /^InternalError: stack overflow/],
    ['JSON.parse("[".repeat(1e6))', /stack overflow|unexpected/i],
    ['/(a|b)*c/.test("ab".repeat(1e6)); return f()', /./],
  ])('%s reports the reason', async (code, message) => {
    const failed = await failure(code);
    expect(failed.code).toBe('code_error');
    if (message instanceof RegExp) expect(failed.message).toMatch(message);
    else expect(failed.message).toBe(message);
  });

  test('is reported in a limited message without details of the host', async () => {
    const { message } = await failure('throw new Error("x".repeat(1e6))');
    expect(message.length).toBeLessThan(1100);
    const { message: stack } = await failure('const e = new Error("m"); throw e.stack');
    expect(stack).not.toMatch(/node_modules|\/|worker/);
  });
});

describe('a hostile script', () => {
  test.each(['process', 'require', 'fetch', 'global', 'Buffer', 'setTimeout', 'WebAssembly', 'Worker', 'std', 'os'])(
    'finds no %s',
    async name => {
      expect(await run(`return typeof ${name} + typeof globalThis.${name}`)).toBe('undefinedundefined');
    },
  );

  test.each([
    'return this.constructor.constructor("return process")()',
    'return input.constructor.constructor("return process.env")()',
    'return (async () => {}).constructor("return process")()',
    'return nodes.a.constructor.constructor("return globalThis.process.env.PATH")()',
    'return (0, eval)("process")',
    'return require("fs")',
  ])('%s gains nothing', async code => {
    expect(await codeOf(code, { nodes: new Map([['a', '1']]) })).toBe('code_error');
  });

  test.each(['return await import("fs")', 'return await import("node:fs")', 'import fs from "fs"'])(
    '%s imports nothing',
    async code => {
      expect(await codeOf(code)).toBe('code_error');
    },
  );

  test('changes neither the host nor the next script', async () => {
    const input = { a: {} };
    const before = JSON.stringify(input);
    await run(
      `Object.prototype.polluted = 1; Array.prototype.push = () => 'no'; JSON.stringify = () => 'mine';
       JSON.parse = () => 'mine'; Promise.prototype.then = () => {}; globalThis.left = 1;
       input.__proto__.polluted = 2; input.a.b = 3; String.prototype.slice = 1; return { ok: true }`,
      { input },
    ).then(content => expect(content).toBe('{"ok":true}'));
    expect(JSON.stringify(input)).toBe(before);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(await run('return [typeof left, ({}).polluted === undefined, JSON.stringify({a: 1})]')).toBe(
      '["undefined",true,"{\\"a\\":1}"]',
    );
  });

  test.each([
    'while (true) {}',
    'for (;;) try { while (true) {} } catch {}',
    'try { while (true) {} } finally { while (true) {} }',
    'Promise.resolve().then(() => { while (true) {} }); await 0',
    'const again = () => Promise.resolve().then(again); await again()',
    'return { get a() { while (true) {} } }',
    'return new Proxy({}, { ownKeys() { while (true) {} } })',
    'throw { toString() { while (true) {} }, toJSON() { while (true) {} } }',
    'const e = new Error(); Object.defineProperty(e, "name", { get() { while (true) {} } }); throw e',
    'return "a".repeat(30).match(/^(a+)+$/) && "a".repeat(40).concat("b").match(/^(a+)+$/)',
    'return new Array(1e6).fill(0).map((_, i) => -i).sort((a, b) => { while (true) {} })',
  ])('ends in time: %s', async code => {
    expect(await codeOf(code, { timeoutMs: 150, memoryMb: 128 })).toBe('code_timeout');
  });

  test.each([
    'return "x".repeat(1e9)',
    'return "x".repeat(2 ** 30 - 1)',
    'const all = []; for (;;) all.push([all.length])',
    'const all = []; for (;;) all.push("x".repeat(1e6) + all.length)',
    'const all = new Map(); for (let i = 0; ; i++) all.set(i, i + "a")',
    'const all = []; for (;;) all.push(new Uint8Array(1e5))',
    'const all = []; const more = () => { all.push(new Uint8Array(1e5)); return Promise.resolve().then(more) }; await more()',
    'let text = "x"; for (;;) text += text',
    'return new ArrayBuffer(1e9)',
    'return new Uint8Array(2e9)',
    'const all = []; try { for (;;) all.push({}) } catch (error) { throw error }',
    'return JSON.stringify(new Array(1e7).fill("some text"))',
    'throw new Error("x".repeat(5e7))',
  ])('ends at its memory limit: %s', async code => {
    expect(await codeOf(code)).toBe('code_memory');
  });

  test('may catch that a content is larger than its memory', async () => {
    const nodes = new Map([['a', 'x'.repeat(17 * 1024 * 1024)]]);
    expect(await codeOf('return nodes.a.content', { nodes })).toBe('code_memory');
    const code = 'try { nodes.a.content } catch {} throw new TypeError("mine")';
    expect(await failure(code, { nodes })).toEqual({ code: 'code_error', message: 'TypeError: mine (line 1)' });
  });

  test('uses no more memory of the process than it may', async () => {
    const own = createSandbox({ size: 1 });
    await own.of(1).run(script('return 1'), { signal });
    const before = process.memoryUsage().rss;
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 5);
    await expect(
      own
        .of(1)
        .run(script('const all = []; for (;;) all.push("x".repeat(1e6) + all.length)', { memoryMb: 64 }), { signal }),
    ).rejects.toMatchObject({ code: 'code_memory' });
    clearInterval(timer);
    await own.close();
    expect(most).toBeLessThan(110e6);
  });

  test('has its data counted as memory', async () => {
    const nodes = new Map([['big', 'x'.repeat(3_000_000)]]);
    expect(await codeOf('return nodes.big.content.length', { nodes, memoryMb: 1 })).toBe('code_memory');
    expect(await run('return nodes.big.content.length', { nodes })).toBe('3000000');
    expect(await run('return 1', { nodes, memoryMb: 1 })).toBe('1');
    expect(await codeOf('return 1', { input: 'x'.repeat(3_000_000), memoryMb: 1 })).toBe('code_memory');
  });

  test('leaves the sandbox intact for the next one', async () => {
    for (const code of ['while (true) {}', 'return "x".repeat(1e9)', 'const f = () => f(); f()', 'throw 1']) {
      await codeOf(code, { timeoutMs: 100 });
      expect(await run('return 1 + 1')).toBe('2');
    }
  });
});

describe('the threads', () => {
  test('do not exist before the first script, and end when there is nothing to do', async () => {
    const own = createSandbox({ size: 2, idleMs: 50 });
    expect(own.threads).toBe(0);
    await own.of(1).run(script('return 1'), { signal });
    expect(own.threads).toBe(1);
    await eventually(
      async () => own.threads,
      threads => threads === 0,
    );
  });

  test('are at most as many as allowed, and every script gets its turn', async () => {
    const own = createSandbox({ size: 2 });
    const results = Array.from({ length: 20 }, (_, index) =>
      own.of(1).run(script('return input', { input: index }), { signal }),
    );
    expect(await Promise.all(results)).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
    expect(own.threads).toBeLessThanOrEqual(2);
    await own.close();
  });

  test.each([
    [1, 3, 2],
    [2, 3, 2],
    [8, 9, 8],
    [64, 65, 64],
  ])('with %d cores are %d, of which one project has %d', (cores, size, limit) => {
    expect(sandboxDefaults(cores)).toMatchObject({ size, limit });
  });

  test('are by default as many as this machine needs', async () => {
    const own = createSandbox();
    const size = Math.max(2, availableParallelism()) + 1;
    const results = await Promise.all(
      Array.from({ length: 2 * size }, (_, project) => own.of(project).run(script('return 1'), { signal })),
    );
    expect(results).toHaveLength(2 * size);
    expect(own.threads).toBe(size);
    await own.close();
  });

  test('execute a script for 30 seconds at most by default', async () => {
    expect([sandboxDefaults().maxMs, readConfig({}).codeMaxSeconds]).toEqual([30_000, 30]);
    expect(readConfig({ CODE_MAX_SECONDS: '90' }).codeMaxSeconds).toBe(90);
  });

  test('are never all used by one project, whose endless scripts end at the time limit', async () => {
    const own = createSandbox({ size: 3, limit: 2, maxMs: 3_600_000 });
    const endless = (threads: ThreadSandbox, ending = signal) =>
      [1, 2, 3].map(() =>
        threads
          .of(1)
          .run(script('while (true) {}', { timeoutMs: 3_600_000 }), { signal: ending })
          .catch(({ code, message }: PortError) => [code, message]),
      );
    const abort = new AbortController();
    let ended = 0;
    const calls = endless(own, abort.signal);
    for (const call of calls) void call.then(() => ended++);
    for (let round = 0; round < 5; round++) expect(await own.of(2).run(script('return 1'), { signal })).toBe('1');
    expect(ended).toBe(0);
    abort.abort(new Error('enough'));
    expect(await Promise.all(calls)).toEqual([1, 2, 3].map(() => [undefined, 'enough']));
    await own.close();
    const limited = createSandbox({ size: 3, limit: 2, maxMs: 300 });
    const message = 'the script did not end within 0.3 seconds, the maximum of CODE_MAX_SECONDS';
    expect(await Promise.all(endless(limited))).toEqual([1, 2, 3].map(() => ['code_timeout', message]));
    await limited.close();
  });

  test('are waited for outside of the time limit of the script', async () => {
    const own = createSandbox({ size: 1 });
    const waits: Promise<unknown>[] = [];
    const waitFor = <T>(turn: Promise<T>) => {
      waits.push(turn);
      return turn;
    };
    // The start of a thread counts as waiting.
    expect(await own.of(1).run(script('return 1'), { signal, waitFor })).toBe('1');
    expect(waits.length).toBe(1);
    const holder = own.of(1).run(script('while (true) {}', { timeoutMs: 300 }), { signal, waitFor });
    await expect(holder).rejects.toMatchObject({ code: 'code_timeout' });
    const second = own.of(1).run(script('while (true) {}', { timeoutMs: 5_500 }), { signal, waitFor });
    const victim = own.of(2).run(script('return 2', { timeoutMs: 5_000 }), { signal, waitFor });
    await expect(second).rejects.toMatchObject({ code: 'code_timeout' });
    expect(await victim).toBe('2');
    expect(waits.length).toBeGreaterThanOrEqual(2);
    await Promise.all(waits);
    await own.close();
  });

  test('stop at once when the call is aborted, while running and while waiting', async () => {
    const own = createSandbox({ size: 1 });
    await own.of(1).run(script('return 1'), { signal });
    const abort = new AbortController();
    const calls = [1, 2].map(() =>
      own.of(1).run(script('while (true) {}', { timeoutMs: 600_000 }), { signal: abort.signal }),
    );
    abort.abort(new Error('cancelled'));
    for (const call of calls) await expect(call).rejects.toThrow('cancelled');
    expect(await own.of(1).run(script('return "next"'), { signal })).toBe('next');
    await expect(own.of(1).run(script('return 1'), { signal: abort.signal })).rejects.toThrow('cancelled');
    await own.close();
  });

  test('leave the main thread free', async () => {
    const loop = run('while (true) {}', { timeoutMs: 3_000 }).catch(() => 'ended');
    let turns = 0;
    const timer = setInterval(() => turns++, 10);
    await loop;
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  test('use no more memory after thousands of scripts', async () => {
    const many = async (count: number) => {
      for (let round = 0; round < count; round++) {
        await run('const all = []; for (let i = 0; i < 50; i++) all.push({ i }); return all', { input: { round } });
      }
    };
    await many(300);
    const before = process.memoryUsage().rss;
    await many(2_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(40e6);
  });
});
