import { reportUsage } from '../../providers/llm/observed-provider.js';
import { accounts } from '../accounts/index.js';
import { billing } from '../billing/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { providerKeys } from '../provider-keys/index.js';
import { AnsweredCallsEntity } from './answered-calls.entity.js';
import { ApiKeySpendingResolver } from './api-key-spending.resolver.js';
import { ChatResolver } from './chat.resolver.js';
import { assembleChat } from './chat-assembly.js';
import { ModelEndpointResolver } from './endpoints/model-endpoint.resolver.js';

export const chat = defineModule({
  name: 'chat',
  needs: { accounts, billing, projects, providerKeys },
  entities: [AnsweredCallsEntity],
  resolvers: [ChatResolver, ModelEndpointResolver, ApiKeySpendingResolver],
  create(
    { config, telemetry, database, ledgerSpool, currencies, createAbortController },
    { billing, projects: { access }, providerKeys: { projectModels, servedModels } },
  ) {
    const chat = assembleChat({
      createAbortController,
      ...{
        config,
        log: telemetry.log,
        database,
        access,
        ...billing,
        models: projectModels,
        servedModels,
        spool: ledgerSpool,
      },
      reportUsage: usage => reportUsage(telemetry, { name: usage.provider }, usage),
    });
    return {
      services: { chat },
      resolvers: [
        new ChatResolver(chat.service),
        new ModelEndpointResolver(chat.service),
        new ApiKeySpendingResolver(currencies),
      ],
      metrics: chat.metrics,
    };
  },
});
