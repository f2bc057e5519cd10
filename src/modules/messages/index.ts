import { ListPayloads } from '../../platform/lists/list-payloads.js';
import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { prompts } from '../prompts/index.js';
import { providerKeys } from '../provider-keys/index.js';
import { variables } from '../variables/index.js';
import { workflows } from '../workflows/index.js';
import { findExistingMessageIds } from './existing-messages.js';
import { Message } from './message.js';
import { MessageResolver } from './message.resolver.js';
import { MessageService } from './message.service.js';
import { MessagePromptEntity } from './message-prompt.entity.js';
import { MESSAGE_PAYLOADS } from './message-reads.js';
import { ProjectMessagesResolver } from './project-messages.resolver.js';
import { PromptMessagesResolver } from './prompt-messages.resolver.js';

/** Messages of scenarios: model requests with their prompts, parameters, loops and conditions. */
export const messages = defineModule({
  name: 'messages',
  needs: { accounts, projects, prompts, providerKeys, variables, workflows },
  entities: [Message, MessagePromptEntity],
  resolvers: [MessageResolver, ProjectMessagesResolver, PromptMessagesResolver],
  create({ database, pageBytes }, { projects: { access }, prompts, providerKeys: { servedModels } }) {
    // Injected, because the module of prompts cannot depend on this one.
    prompts.references.findExistingMessageIds = findExistingMessageIds;
    const payloads = new ListPayloads<Pick<Message, 'parameters' | 'conditions'>>(database, pageBytes, {
      table: 'message',
      columns: MESSAGE_PAYLOADS,
    });
    return {
      services: {},
      resolvers: [
        new MessageResolver(new MessageService(database, access, servedModels), database, payloads),
        new ProjectMessagesResolver(database),
        new PromptMessagesResolver(database),
      ],
    };
  },
});
