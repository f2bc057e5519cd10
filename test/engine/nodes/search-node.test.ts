import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { PortError, type SearchHit, type SearchRequest } from '../../../src/engine/ports.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { fakePorts } from '../fake-ports.js';
import { run, trigger, workflow } from '../samples.js';
import { runAgent } from './agents/agent-run.js';

const hit: SearchHit = { document: 3, filename: 'a.pdf', page: 2, text: 'Two weeks.', score: 0.5 };
const t = trigger('t');
const search = (data: JsonObject) => ({ id: 's', type: 'search-node', data });

/** Runs a search node whose search has this answer. */
async function runNode(data: JsonObject, input: JsonObject = {}, answer: SearchHit[] | Error = [hit]) {
  const requests: SearchRequest[] = [];
  const ports = fakePorts({
    search: async request => {
      requests.push(request);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const events = await run(workflow([t, search(data)], ['t>s']), { ports, input });
  const done = events.find(event => event.type === 'node.succeeded' && event.node === 's');
  return { requests, events, content: done?.type === 'node.succeeded' ? done.content : undefined };
}

describe('a search node', () => {
  it('returns the results as JSON', async () => {
    const { requests, content } = await runNode({ query: '{{ input.q }}' }, { q: 'refunds' });
    expect(requests).toEqual([{ query: 'refunds', documentIds: null, limit: 5 }]);
    expect(JSON.parse(content ?? '')).toEqual([hit]);
    expect((await runNode({ query: 'x' }, {}, [])).content).toBe('[]');
  });

  it('searches the named documents, or all of them', async () => {
    const found = await runNode({ query: 'x', document_ids: '{{ input.ids }}', limit: 2 }, { ids: [3, 4] });
    expect(found.requests).toEqual([{ query: 'x', documentIds: [3, 4], limit: 2 }]);
    for (const document_ids of [[], null])
      expect((await runNode({ query: 'x', document_ids })).requests[0]?.documentIds).toBeNull();
  });

  it('fails as the search does', async () => {
    const { events } = await runNode({ query: 'x' }, {}, new PortError('unknown_document', 'no such document'));
    expect(events.at(-1)).toMatchObject({ type: 'run.failed' });
    expect(JSON.stringify(events)).toContain('unknown_document');
  });

  it.each([
    [{}, 'query'],
    [{ query: ' ' }, 'query'],
    [{ query: 'x', limit: 0 }, 'limit'],
    [{ query: 'x', limit: 51 }, 'limit'],
    [{ query: 'x', document_ids: [0] }, 'document_ids'],
    [{ query: 'x', document_ids: 'all' }, 'document_ids'],
  ])('with the settings %j is refused', (data, member) => {
    const check = checkWorkflow(workflow([t, search(data)], ['t>s']), { servesModel: () => true });
    expect(JSON.stringify(check)).toContain(`"${member}`);
    expect(check.status).toBe(422);
  });
});

describe('a search as a tool of an agent', () => {
  const tools = [{ kind: 'search', document_ids: [3], description: 'The handbook.' }];

  it('returns to the model what was found in the selected documents', async () => {
    const requests: SearchRequest[] = [];
    const call = { name: 'search_documents', arguments: '{"query": "refunds", "limit": 900, "document_ids": [9]}' };
    const result = await runAgent(
      { tools },
      {
        model: [[call], 'Two weeks.'],
        search: async request => {
          requests.push(request);
          return [hit];
        },
      },
    );
    expect(requests).toEqual([{ query: 'refunds', documentIds: [3], limit: 20 }]);
    expect(result.prompts[0]?.tools?.[0]).toMatchObject({ name: 'search_documents', description: 'The handbook.' });
    expect(JSON.parse(result.prompts[1]?.messages.at(-1)?.content ?? '')).toEqual([hit]);
  });

  it('reports invalid arguments and failed searches to the model', async () => {
    const toolAnswer = async (args: string, search = async (): Promise<SearchHit[]> => [hit]) => {
      const call = { name: 'search_documents', arguments: args };
      const result = await runAgent({ tools }, { model: [[call], 'ok'], search });
      return result.prompts[1]?.messages.at(-1)?.content;
    };
    expect(await toolAnswer('{}')).toContain('query');
    expect(await toolAnswer('{"query": 7}')).toContain('query');
    const failing = async () => {
      throw new PortError('unknown_document', 'no such document');
    };
    expect(await toolAnswer('{"query": "x"}', failing)).toBe('Error: no such document');
  });
});
