import type { TestService } from '../../../support/service.js';
import { COPIES, copied } from './place-copies.js';

const PARTS = ['variable', 'prompt', 'message', 'scenario'] as const;
export type Parts = Record<(typeof PARTS)[number], number>;

/** Creates the parts of a scenario, and the scenario. */
export async function modelParts(
  project: number,
  create: (path: string, body: unknown) => Promise<{ id: number }>,
): Promise<Parts> {
  const { id: variable } = await create('/api/v1/variables/', {
    key: 'variable',
    project,
    variable_names: [{ name: 'a', value: '1' }],
  });
  const { id: prompt } = await create('/api/v1/prompts/', { key: 'prompt', role: 'user', content: 'Hello', project });
  const { id: message } = await create('/api/v1/messages/', { key: 'message', project, prompts: [prompt] });
  const { id: scenario } = await create('/api/v1/scenarios/', {
    name: 'Scenario',
    project,
    category: SEEDED_CATEGORY,
    run_fee: 0,
    free_runs_per_user: 0,
    messages: [message],
  });
  return { variable, prompt, message, scenario };
}

/** The category of the scenarios of all places. No request of the sweep deletes it. */
export const SEEDED_CATEGORY = 1;

export async function copyParts(service: TestService, ids: string, parts: Parts): Promise<void> {
  for (const part of PARTS)
    await service.sql(copied(part, `'id', p.${part}, 'project_id', p.project`, 't.id = $2'), [ids, parts[part]]);
  await service.sql(`insert into message_prompt (message_id, prompt_id) select message, prompt from ${COPIES}`, [ids]);
  await service.sql(`insert into scenario_message (scenario_id, message_id) select scenario, message from ${COPIES}`, [
    ids,
  ]);
}
