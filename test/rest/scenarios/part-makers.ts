import type { RestOptions, TestService } from '../../support/service.js';
import { restAsDeclared } from '../declared-answers.js';

type Body = Record<string, unknown>;

/**
 * Creates the parts of scenarios by REST, and checks each answer against its declaration. The arguments are functions, because
 * a test file calls this before `beforeAll` has set the service and the key.
 */
export function partsBy(service: () => TestService, key: () => string) {
  const call = (method: string, path: string, options: RestOptions = {}) =>
    restAsDeclared(service(), method, `/api/v1/${path}`, { key: key(), ...options });
  const create = async (path: string, body: Body) => {
    const answer = await call('POST', path, { body });
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  let count = 0;
  const freshKey = () => `key ${++count}`;
  return {
    call,
    project: async (): Promise<number> => (await create('projects/', { name: 'Home' })).id,
    variable: (project: number, more: Body = {}) =>
      create('variables/', { project, key: freshKey(), variable_names: [{ name: 'first', value: 'one' }], ...more }),
    prompt: (project: number | undefined, more: Body = {}) =>
      create('prompts/', { project, key: freshKey(), role: 'user', content: 'Hello', ...more }),
    message: (project: number, more: Body = {}) => create('messages/', { project, key: freshKey(), ...more }),
    scenario: (project: number, more: Body = {}) =>
      create('scenarios/', {
        project,
        name: 'Scenario',
        category: 1,
        run_fee: 0,
        free_runs_per_user: 0,
        messages: [],
        ...more,
      }),
  };
}
