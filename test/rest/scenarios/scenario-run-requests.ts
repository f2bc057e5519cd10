import { eventually } from '../../support/eventually.js';
import type { partsBy } from './part-makers.js';

export const MODEL = 'gpt-4o-mini';

/** Requests about scenario runs in a project. */
export function scenarioRunsBy(parts: ReturnType<typeof partsBy>, project: () => number) {
  const run = (body: Record<string, unknown>, options = {}) =>
    parts.call('POST', 'scenarioruns/run/', { body, ...options });
  const read = async (id: number) => (await parts.call('GET', `scenarioruns/${id}/`)).body;
  const awaitEnd = (id: number) =>
    eventually(
      () => read(id),
      ({ status }) => status !== 'created' && status !== 'in_progress',
    );
  const patch = (id: number, path: string, body: unknown) =>
    parts.call('PATCH', `scenarioruns/${id}/${path}`, { body });

  /** Creates a message with one prompt of its own. */
  async function createMessage(content: string, more: Record<string, unknown> = {}) {
    const prompt = await parts.prompt(project(), { content });
    return parts.message(project(), { prompts: [prompt.id], parameters: { model_name: MODEL }, ...more });
  }

  /** Creates a scenario of one message that sends `content`. */
  async function createScenario(content: string, more: Record<string, unknown> = {}) {
    const message = await createMessage(content, more);
    return { message, scenario: await parts.scenario(project(), { messages: [message.id] }) };
  }

  return { run, read, awaitEnd, patch, createMessage, createScenario };
}
