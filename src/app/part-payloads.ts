import type { Database } from '../base/database.js';
import type { PageBytes } from '../base/page-bytes.js';
import type { Message } from '../resources/messages/message.js';
import { PartPayloads } from '../resources/projects/part-payloads.js';
import type { Prompt } from '../resources/prompts/prompt.js';
import type { Scenario } from '../resources/scenarios/scenario.js';
import type { Variable } from '../resources/variables/variable.js';

/** The large members of the parts of a project. */
export function createPartPayloads(database: Database, pageBytes: PageBytes) {
  return {
    message: new PartPayloads<Pick<Message, 'parameters' | 'conditions'>>(database, pageBytes, 'message', {
      parameters: 'parameters',
      conditions: 'conditions',
    }),
    prompt: new PartPayloads<Pick<Prompt, 'content' | 'promptConditions'>>(database, pageBytes, 'prompt', {
      content: 'content',
      promptConditions: 'prompt_conditions',
    }),
    scenario: new PartPayloads<Pick<Scenario, 'readmeGuide'>>(database, pageBytes, 'scenario', {
      readmeGuide: 'readme_guide',
    }),
    variable: new PartPayloads<Pick<Variable, 'variableNames'>>(database, pageBytes, 'variable', {
      variableNames: 'variable_names',
    }),
  };
}
