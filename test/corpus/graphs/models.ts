import { type Json, node, template } from '../../support/graphs.js';
import { failing, type GraphCase, named, sequence } from '../graph-case.js';
import type { AskedCall } from '../site.js';

/** A model of the site with a price: 0.00045 USD for each of its answers. */
const settings = { model_name: 'gpt-4o-mini' };
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const asking = (message: string, more: Json = {}) => ({ messages: [{ role: 'user', message }], settings, ...more });

/** An agent whose model calls these tools. */
const calling = (calls: AskedCall[], more: Json = {}, again?: boolean) =>
  node('agent-node', asking(JSON.stringify({ calls, again }), more));

/** Graphs that call models. `site` is the address of a server that is a provider of models. */
export function models(site: string): GraphCase[] {
  const lookUp = {
    ...{ kind: 'http', name: 'look_up', request: { url: `${site}/pair?word={{ args.word }}` } },
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  };
  const echo = { ...lookUp, request: { url: `${site}/echo` } };
  const schema = (total: Json) => ({ type: 'object', properties: { total }, required: ['total'] });
  return [
    sequence(
      'output schema: a value of the answer',
      [
        node('basic-node', {
          ...asking('{"total": 3}', { settings: { model_name: 'echo' } }),
          output_schema: schema({ type: 'integer' }),
        }),
        template('{{ previous.json.total + 1 }}'),
      ],
      4,
    ),
    failing(
      'output schema: an answer that does not conform',
      [node('basic-node', { ...asking('three'), output_schema: schema({ type: 'integer' }) })],
      'output_mismatch',
    ),
    sequence(
      'images: an address and a data URL',
      [
        node('basic-node', {
          settings,
          messages: [{ role: 'user', message: 'See', images: ['https://images.example.com/a.png', PIXEL] }],
        }),
      ],
      `read: See https://images.example.com/a.png ${PIXEL}`,
    ),
    sequence(
      'cache: the second answer costs nothing',
      [
        named('first', 'basic-node', asking('Cached?', { cache_seconds: 600 })),
        named('second', 'basic-node', asking('Cached?', { cache_seconds: 600 })),
        named('third', 'basic-node', asking('Cached?')),
        template(
          '{{ [nodes.first.usage.total_tokens, nodes.first.usage.cost_usd, nodes.second.usage.total_tokens, nodes.second.usage.cost_usd, nodes.second.content, nodes.third.usage.total_tokens] }}',
        ),
      ],
      [1_500, '0.00045', 0, '0', 'read: Cached?', 1_500],
    ),
    sequence(
      'fallback: the second model answers after the failure of the first one',
      [
        node('basic-node', {
          ...asking('Hello', { settings: { model_name: 'echo', metadata: { echo_error: '500' } } }),
          fallback_models: ['gpt-4o-mini'],
        }),
      ],
      'read: Hello',
    ),
    // The site answers only when both calls have arrived, the second one first.
    sequence(
      'agent: calls of tools at the same time',
      [
        calling(
          [
            { name: 'look_up', arguments: { word: 'owl' } },
            { name: 'look_up', arguments: { word: 'fox' } },
          ],
          { tools: [lookUp], parallel_tools: 2 },
        ),
      ],
      'read: owl fox',
    ),
    failing(
      'agent: the maximum cost',
      [calling([{ name: 'look_up', arguments: { word: 'a' } }], { tools: [echo], max_cost_usd: 0.0005 }, true)],
      'max_cost_reached',
    ),
    sequence(
      'agent: a cost below the maximum',
      [
        calling([{ name: 'look_up', arguments: { word: 'a' } }], { tools: [echo], max_cost_usd: 0.0005 }),
        template('x'),
      ],
      'x',
    ),
  ];
}
