import { checkTypes } from '../../../src/engine/expressions/check-expression.js';
import { typesInGraph } from '../../../src/engine/expressions/reference-types.js';
import { Content, type Scope } from '../../../src/engine/expressions/scope.js';
import { renderValue } from '../../../src/engine/expressions/template.js';
import { parseTemplate } from '../../../src/engine/expressions/template-parser.js';
import { inputTypes, parseInputFields } from '../../../src/engine/workflow/graph/input-fields.js';

const contents: Record<string, Content> = {
  ask: new Content('{"items":[{"name":"b","price":2},{"name":"a","price":10.5}],"total":12.5,"note":null}'),
  plain: new Content('plain text'),
};

/** A scope with a value of each type and of each root. */
export const scope: Scope = {
  input: JSON.parse(
    '{"name":"Ada Lovelace","amount":250,"text_amount":"12.50","flag":true,"off":false,"nothing":null,"empty":"","blank":"  ","list":[3,1,2],"words":["b","a","c"],"none":[],"people":[{"name":"Ada","age":36,"city":"London"},{"name":"Bob","age":25,"city":"Rome"},{"name":"Cy","age":36,"city":"Rome"}],"address":{"city":"Rome","zip":"00100","geo":{"lat":41.9}},"b-c":7,"date":"2026-03-01T08:30:00Z","__proto__":{"p":1},"constructor":1,"item":{"id":9},"index":2}',
  ),
  declared: new Set(['optional']),
  node: id => (Object.hasOwn(contents, id) ? contents[id] : undefined),
  previous: () => contents.ask,
  usageOf: id => (id === 'ask' ? { prompt_tokens: 12, total_tokens: 20, cost_usd: '0.001' } : undefined),
  errorOf: id =>
    id === 'broken' ? { code: 'http_status', message: 'the server answered', status: 503, attempts: 3 } : undefined,
  responseOf: id =>
    id === 'ask' ? { status: 200, headers: { 'content-type': 'application/json', 'x-count': '3' } } : undefined,
  variables: () => ({ total: 12.5, words: ['b', 'a'], user: { name: 'Ada' }, empty: '' }),
  runId: 'run-1',
  workflowId: 42,
  startedAt: '2026-01-02T03:04:05.000Z',
  now: '2026-01-02T03:04:05.678Z',
  env: name => (name === 'REGION' ? 'eu' : undefined),
  seed: 'run-1 node-1',
};

/** Returns the value of an expression. Throws a TemplateError. */
export function evaluate(expression: string): unknown {
  return renderValue(`{{ ${expression} }}`, scope);
}

/** Returns true if the text has no problem before it is evaluated. */
export function checkExpressionText(text: string): boolean {
  return parseTemplate(text).problems.length === 0;
}

/** Types that the values of `scope.input` have. */
const FIELD_TYPES = {
  name: 'text',
  amount: 'number',
  text_amount: 'number',
  flag: 'boolean',
  date: 'text',
  words: 'multiselect',
};
const types = typesInGraph(
  inputTypes(
    parseInputFields(Object.entries(FIELD_TYPES).map(([id, type]) => ({ id, type, input_requirements: true }))),
  ),
);

/** Returns true if the check before a run reports that an expression of the text always fails. */
export function hasTypeProblem(text: string): boolean {
  return parseTemplate(text).parts.some(
    part => typeof part !== 'string' && checkTypes(part.expression, types).length > 0,
  );
}
