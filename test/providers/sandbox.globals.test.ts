import { runInThisContext } from 'node:vm';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PortError, Script } from '../../src/engine/ports.js';
import { createSandbox } from '../../src/providers/sandbox.js';

const sandbox = createSandbox({ size: 1 });
afterAll(() => sandbox.close());

const signal = new AbortController().signal;

/** Runs a script. Returns its content or its failure, and its log. */
async function run(code: string, more: Partial<Script> = {}) {
  const log: string[] = [];
  const script = { code, input: {}, nodes: new Map(), memoryMb: 16, timeoutMs: 20_000, ...more };
  const content = await sandbox
    .of(1)
    .run(script, { signal, log: lines => log.push(...lines) })
    .catch((error: PortError) => `${error.code}: ${error.message}`);
  return { content, log };
}

describe('a script has the same result as in Node', () => {
  test.each([
    'const u = new URL("../c?x=1#h", "https://user:pa%20ss@example.com:8443/a/b"); return [u.href, u.origin, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, u.protocol]',
    'const u = new URL("http://a/"); u.pathname = "x y"; u.port = "80"; u.hash = "é"; u.host = "b:81"; u.search = "?q=1"; return [u, String(u), u.searchParams.get("q")]',
    'const u = new URL("http://a/?a=1&b=2"); u.searchParams.append("c", "d e&"); u.searchParams.delete("a"); return [u.href, [...u.searchParams], u.searchParams.size]',
    'const u = new URL("http://a/?a=1"); const p = u.searchParams; u.search = "z=9"; return [p === u.searchParams, p.toString()]',
    'return [URL.canParse("no"), URL.canParse("x", "http://a"), URL.parse("no"), URL.parse("x", "http://a").href]',
    'try { new URL("no") } catch (error) { return error instanceof TypeError }',
    'try { new URL("http://a").href = "no" } catch (error) { return error instanceof TypeError }',
    'const p = new URLSearchParams("?a=1&a=2&b=%20+%E2%82%AC%zz&=x&c"); return [[...p], p.getAll("a"), p.has("a", "2"), p.has("a", "3"), p.get("none"), String(p)]',
    'const p = new URLSearchParams({ z: 1, a: "*-._~!()\'é𝄞" }); p.sort(); p.set("z", 2); p.set("n", null); return [p.toString(), [...p.keys()], [...p.values()]]',
    'const p = new URLSearchParams([["a", "1"], ["b", "2"]]); const seen = []; p.forEach((v, k) => seen.push(k + v)); return seen',
    'return [...new TextEncoder().encode("aé€𝄞\\ud800b")]',
    'return new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 97, 0xff, 0xc3, 0xa9, 0xe2, 0x82, 0xf0, 0x9d, 0x84, 0x9e, 0xed, 0xa0, 0x80]))',
    'try { new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([0xff])) } catch (error) { return error instanceof TypeError }',
    'return [btoa("a\\xffbc"), btoa(""), btoa("ab"), atob("YQ=="), atob(" Y WI"), atob("AP8=")]',
    'try { btoa("€") } catch (error) { return error.name }',
    'try { atob("a") } catch (error) { return error.name }',
    'const a = { d: new Date(5), m: new Map([[1, { x: [1, , 3] }]]), s: new Set(["q"]), r: /a/gi, u: undefined, b: new Uint8Array([1, 2]).subarray(1) }; a.self = a; const c = structuredClone(a); return [c !== a, c.self === c, c.d.getTime(), c.m.get(1).x.length, 1 in c.m.get(1).x, [...c.s], String(c.r), "u" in c, [...c.b]]',
    'try { structuredClone({ f() {} }) } catch (error) { return error.name }',
    'const digests = []; for (const name of ["SHA-1", "sha-256", { name: "SHA-384" }, "SHA-512"]) digests.push([...new Uint8Array(await crypto.subtle.digest(name, new TextEncoder().encode("né")))]); return digests',
    'return crypto.subtle.digest("MD5", new Uint8Array()).catch(error => error.name)',
  ])('%s', async code => {
    const expected = await runInThisContext(`(async () => {${code}\n})()`);
    const { content } = await run(code);
    expect(content).toBe(typeof expected === 'string' ? expected : JSON.stringify(expected));
  });

  test('for random texts and bytes', async () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 20 }), 200);
    const bytes = fc.sample(
      fc.array(fc.oneof(fc.nat(255), fc.constantFrom(0xe2, 0x82, 0xac, 0xf0, 0x9f)), { maxLength: 12 }),
      300,
    );
    const code = `return [
      input.texts.map(text => [...new TextEncoder().encode(text)]),
      input.texts.map(text => String(new URLSearchParams([[text, text]]))),
      input.texts.map(text => [...new URLSearchParams(text)]),
      input.bytes.map(list => new TextDecoder().decode(new Uint8Array(list))),
      input.bytes.map(list => btoa(String.fromCharCode(...list))),
      input.bytes.map(list => atob(btoa(String.fromCharCode(...list)))),
    ]`;
    const input = { texts, bytes };
    const expected = await runInThisContext(`(async input => {${code}\n})`)(JSON.parse(JSON.stringify(input)));
    expect(JSON.parse((await run(code, { input })).content)).toEqual(JSON.parse(JSON.stringify(expected)));
  });
});

describe('the console', () => {
  test('writes lines in order, also before a failure', async () => {
    const code =
      'console.log("a", 1, { b: [2] }, undefined, null, () => 1); console.warn("w\\0w"); console.error(new TypeError("bad")); console.debug(1n); throw new Error("end")';
    expect(await run(code)).toEqual({
      content: 'code_error: Error: end (line 1)',
      log: ['a 1 {"b":[2]} undefined null [function]', 'warning: w\0w', 'error: TypeError: bad', '1'],
    });
  });

  test('accepts what has no JSON form', async () => {
    const { log } = await run(
      'const a = {}; a.a = a; console.log(a); console.log({ get x() { throw 1 } }); console.log(Symbol("s"))',
    );
    expect(log).toEqual(['[object]', '[object]', 'Symbol(s)']);
  });

  test('is bounded', async () => {
    const { log } = await run('for (let i = 0; i < 10000; i++) console.log("x".repeat(5000))');
    expect(log).toHaveLength(101);
    expect(log[0]).toHaveLength(1013);
    expect(log.at(-1)).toBe('[truncated: the script writes more than 100 lines]');
  });

  test('keeps nothing for the next script', async () => {
    await run('console.log(1); globalThis.URL.kept = 1');
    expect(await run('console.log(URL.kept)')).toMatchObject({ log: ['undefined'] });
  });
});

describe('TypeScript', () => {
  const language = 'typescript';

  test('runs without its types', async () => {
    const code =
      'interface A { n: number }\nconst a = { n: 1 } satisfies A as A;\nreturn ((x: number): number => x + a!.n)(2)';
    expect(await run(code, { language })).toMatchObject({ content: '3' });
  });

  test('names the line of an error', async () => {
    const code = 'type A = {\n  a: string;\n};\nthrow new Error("here");';
    expect((await run(code, { language })).content).toBe('code_error: Error: here (line 4)');
  });

  test.each([
    ['enum A { b }', 'TypeScript enum is not supported in strip-only mode'],
    ['const x: = 5', 'Unexpected token `=`'],
  ])('of %s is refused', async (code, message) => {
    expect((await run(code, { language })).content).toContain(`code_error: SyntaxError: ${message}`);
  });

  test('is not accepted as JavaScript', async () => {
    expect((await run('const x: number = 1')).content).toContain('code_error: SyntaxError');
  });
});

test.each(['process', 'require', 'fetch', 'setTimeout', 'WebAssembly', 'host'])('there is no %s', async name => {
  expect((await run(`return typeof URL + typeof ${name}`)).content).toBe('functionundefined');
});
