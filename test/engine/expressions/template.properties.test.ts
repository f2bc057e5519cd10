import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Scope } from '../../../src/engine/expressions/scope.js';
import { renderText } from '../../../src/engine/expressions/template.js';
import { parseTemplate } from '../../../src/engine/expressions/template-parser.js';
import { cpuSecondsOf, LINEAR_SECONDS } from '../../support/processes/cpu-seconds.js';

/** Random texts for each property. */
const PROPERTY_RUNS = 500;
/** Any text, also with lone surrogates. */
const codeUnit = fc.nat(0xffff).map(code => String.fromCharCode(code));

const render = (text: string, input: Scope['input'] = {}) =>
  renderText(parseTemplate(text), {
    input,
    declared: new Set(),
    node: () => undefined,
    previous: () => undefined,
    runId: 'run-1',
    now: '2026-01-02T03:04:05.678Z',
  });

test.each(['{{', '{{ a', '{{ a|b:"', '{{ a | ', '{', '}}{{', '{{ "', '{{ x }} ', '{{ run.id', '{{a.'])(
  'a template costs linear time when hostile: %s repeated',
  piece => {
    const text = piece.repeat(400_000 / piece.length);
    expect(cpuSecondsOf(() => parseTemplate(text))).toBeLessThan(LINEAR_SECONDS);
  },
);

test('a text without placeholders stays the same, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: codeUnit }), text => {
      fc.pre(!text.includes('{{'));
      expect(render(text)).toBe(text);
    }),
    { numRuns: PROPERTY_RUNS },
  );
});

test('a text inserts any value once and never evaluates it again', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, value) => {
      fc.pre(!before.includes('{') && !before.includes('}'));
      const text = render(`${before}{{ input.v }}`, { v: `{{ ${value} }}` });
      expect(text).toBe(`${before}{{ ${value} }}`);
    }),
    { numRuns: PROPERTY_RUNS },
  );
});
