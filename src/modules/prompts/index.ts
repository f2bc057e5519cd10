import { ListPayloads } from '../../platform/lists/list-payloads.js';
import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { variables } from '../variables/index.js';
import { ProjectPromptsResolver } from './project-prompts.resolver.js';
import { Prompt } from './prompt.js';
import { PromptResolver } from './prompt.resolver.js';
import { PromptService } from './prompt.service.js';
import { PROMPT_PAYLOADS } from './prompt-reads.js';
import type { ReferenceChecks } from './references.js';

/** Prompts of messages: texts with placeholders and conditions. */
export const prompts = defineModule({
  name: 'prompts',
  needs: { accounts, projects, variables },
  entities: [Prompt],
  resolvers: [PromptResolver, ProjectPromptsResolver],
  create({ database, pageBytes }, { projects: { access } }) {
    const references: ReferenceChecks = { findExistingMessageIds: async () => new Set() };
    const payloads = new ListPayloads<Pick<Prompt, 'content' | 'promptConditions'>>(database, pageBytes, {
      table: 'prompt',
      columns: PROMPT_PAYLOADS,
    });
    return {
      services: { references },
      resolvers: [
        new PromptResolver(new PromptService(database, access, references), database, payloads),
        new ProjectPromptsResolver(database),
      ],
    };
  },
});
