import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { htmlExtractor } from '../../../src/providers/html.js';
import { fakePorts } from '../fake-ports.js';
import { run, trigger, workflow } from '../samples.js';

const t = trigger('t');
const TYPE = 'html-extract-node';

const graphOf = (data: JsonObject) => workflow([t, { id: 'n', type: TYPE, data }], ['t>n']);

/** Returns the paths of the faults of these fields before the run. */
const issuesOf = (fields: JsonObject[]) =>
  checkWorkflow(graphOf({ fields }), { servesModel: () => true })
    .issues.filter(({ severity }) => severity === 'error')
    .map(({ path }) => path);

/** Extracts fields and returns the content of the node, or its error. */
async function extract(fields: JsonObject[], html: string) {
  const events = await run(graphOf({ html: '{{ input.html }}', fields }), { ports: fakePorts(), input: { html } });
  const end = events.find(event => 'node' in event && event.node === 'n' && event.type !== 'node.started');
  if (end?.type === 'node.succeeded') return { content: end.content };
  return { error: end?.type === 'node.failed' ? end.error : undefined };
}

describe('an HTML node', () => {
  const html = `<!doctype html><html><body><h1>Big &amp;
    small</h1><ul class="a b"><li><a href="/1">One</a><li><a HREF="/2" title="x">Two</a></ul><script>if (a < b) {}</script></body>`;
  const extracted = (fields: JsonObject[], text = html) => extract(fields, text);

  it.each<[JsonObject, unknown]>([
    [{ selector: 'h1' }, 'Big & small'],
    [{ selector: 'ul.a.b > li a', value: 'attribute', all: true }, ['/1', '/2']],
    [{ selector: 'a[href^="/2"]', value: 'attribute', attribute: 'title' }, 'x'],
    [{ selector: 'a', value: 'attribute', attribute: 'title', all: true }, [null, 'x']],
    [{ selector: 'li:last-child', value: 'html' }, '<a href="/2" title="x">Two</a>'],
    [{ selector: 'h2' }, null],
    [{ selector: 'h2', all: true }, []],
    [{ selector: 'a:not([title]), h1', all: true }, ['Big & small', 'One']],
    [{ selector: 'script' }, 'if (a < b) {}'],
    [{ selector: 'li + li a, #none' }, 'Two'],
    [{ selector: 'body li:first-child:not(.x) > *', all: true }, ['One']],
    [{ selector: 'ul li li', all: true }, []],
    [{ selector: '[class~=b][title], a[title="x"]' }, 'Two'],
    [{ selector: 'html:root' }, 'Big & small One Two'],
    [{ selector: 'ul', value: 'html' }, '<li><a href="/1">One</a></li><li><a href="/2" title="x">Two</a></li>'],
  ])('extracts %j', async (field, value) => {
    const { content } = await extracted([{ name: '__proto__', ...field }]);
    expect(content).toBe(`{"__proto__":${JSON.stringify(value)}}`);
  });

  it.each([
    'a[',
    'a ~',
    'li:nth-child()',
    'li:nth-child(2n+)',
    'li:nth-child(x)',
    'li:nth-child',
    ':has(a)',
    'a::before',
    'a:not(',
    ':contains("x")',
    'a,',
    '> a',
    'a > > b',
    'a b:first-child(',
    '[a=]',
    'a{}',
  ])('refuses the selector %s', async selector => {
    expect((await extracted([{ name: 'a', selector }])).error).toMatchObject({ code: 'invalid_selector' });
    const fields = [
      { name: 'a', selector: 'b' },
      { name: 'b', selector },
    ];
    expect(issuesOf(fields)).toEqual(['fields.1.selector']);
  });

  it.each([['<div>'.repeat(300)], ['<br>'.repeat(100_001)], ['x'.repeat(4 * 1024 * 1024 + 1)]])(
    'refuses a document that is too large',
    async text => {
      const { error } = await extracted([{ name: 'a', selector: 'a' }], text);
      expect(error).toMatchObject({ code: 'html_too_large' });
    },
  );

  it.each([
    ['i ~ b', '356'],
    ['i:first-child ~ u + b', '5'],
    ['u ~ u', ''],
    ['p > :nth-child(2)', '2'],
    ['p > :nth-child(odd)', '135'],
    ['p > :nth-child( even )', '246'],
    ['p > :nth-child(3n + 2)', '25'],
    ['p > :nth-child(-n+2)', '12'],
    ['p > :nth-child(n)', '123456'],
    ['p > :nth-child(0n+4)', '4'],
    ['p > :nth-last-child(1)', '6'],
    ['b:nth-of-type(2)', '5'],
    ['p > :first-of-type', '134'],
  ])('selects %s', async (selector, found) => {
    const text = '<p><i>1</i><i>2</i><b>3</b><u>4</u><b>5</b><b>6</b></p>';
    const { content } = await extracted([{ name: 'a', selector, all: true }], text);
    expect(JSON.parse(content ?? '').a.join('')).toBe(found);
  });

  it('names the selector that fails the run, and refuses equal names', async () => {
    const fields = [
      { name: 'a', selector: 'b' },
      { name: 'b', selector: 'i:hover' },
    ];
    expect((await extracted(fields)).error).toMatchObject({
      code: 'invalid_selector',
      message: expect.stringMatching(/^fields\.1\.selector "i:hover" must consist of /),
    });
    const equal = [
      { name: 'a', selector: 'b' },
      { name: 'a', selector: 'i' },
    ];
    expect((await extracted(equal)).error).toMatchObject({ code: 'equal_names' });
    expect(issuesOf(equal)).toEqual(['fields.1.name']);
    const placeholders = { name: '{{ input.x }}', selector: '{{ input.x }}:hover' };
    expect(issuesOf([placeholders, placeholders])).toEqual([]);
  });

  it('separates blocks and lines of a text, and leaves out scripts and styles', async () => {
    const text =
      '<div><h2>Head</h2><p>One <b>b</b>old</p><p>Two<br>Three</p><script>var x=1</script><style>p {}</style></div>';
    const { content, error } = await extracted([{ name: 'a', selector: 'div' }], text);
    expect(error).toBeUndefined();
    expect(content).toBe('{"a":"Head One bold Two Three"}');
  });

  it('refuses selectors and a document that take too much time together', async () => {
    const selector = Array.from({ length: 125 }, (_, index) => `a${index % 10}`).join();
    const fields = Array.from({ length: 10 }, (_, index) => ({ name: `f${index}`, selector, all: true }));
    const { error } = await extracted(fields, '<p></p>'.repeat(20_000));
    expect(error).toEqual({
      code: 'html_too_large',
      message: 'the HTML takes too many comparisons; use fewer or shorter selectors, or a part of the document',
    });
    const attribute = `<p class="${'a '.repeat(500_000)}">`;
    const words = await extracted([{ name: 'a', selector: '.b,'.repeat(20).slice(0, -1) }], attribute);
    expect(words.error).toMatchObject({ code: 'html_too_large' });
  });

  it('lets other work proceed, which can end it', async () => {
    const query = { selector: 'i, u', path: '', value: 'text', attribute: 'href', isList: true } as const;
    const extractFrom = (pause: () => Promise<void>) =>
      htmlExtractor.extract('<p>x</p>'.repeat(90_000), Array(20).fill(query), pause);
    let pauses = 0;
    await extractFrom(async () => void pauses++);
    expect(pauses).toBeGreaterThan(5);
    await expect(extractFrom(() => Promise.reject(new Error('late')))).rejects.toThrow('late');
  });

  it('refuses a result that is too large', async () => {
    const nested = `${'<div>'.repeat(200)}${'x'.repeat(50_000)}`;
    const { error } = await extracted([{ name: 'a', selector: 'div', all: true }], nested);
    expect(error).toMatchObject({ code: 'html_too_large' });
  });

  it('checks its settings before the run', () => {
    expect(issuesOf([])).toEqual(['fields']);
    expect(issuesOf([{ name: '', selector: 'a' }])).toEqual(['fields.0.name']);
  });
});
