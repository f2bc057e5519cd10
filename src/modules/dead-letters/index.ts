import { DEAD_LETTER_QUEUES, DeadLetters } from '../../durable/dead-letters.js';
import { accounts } from '../accounts/index.js';
import { keywords } from '../keywords/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { recognition } from '../recognition/index.js';
import { scenarioRuns } from '../scenario-runs/index.js';
import { webhooks } from '../webhooks/index.js';
import { workflowRuns } from '../workflow-runs/index.js';
import { DeadLetterResolver } from './dead-letter.resolver.js';
import { DeadLetterService } from './dead-letter.service.js';

export const deadLetters = defineModule({
  name: 'dead-letters',
  needs: { accounts, keywords, projects, recognition, scenarioRuns, webhooks, workflowRuns },
  resolvers: [DeadLetterResolver],
  queues: DEAD_LETTER_QUEUES,
  create({ database, queue }, { keywords, projects, recognition, scenarioRuns, webhooks, workflowRuns }) {
    const letters = new DeadLetters(database, queue);
    const service = new DeadLetterService(database, projects.access, letters, {
      workflow: workflowRuns.redrive,
      scenario: scenarioRuns.redrive,
      keyword: keywords.redrive,
      recognition: recognition.redrive,
      webhook: webhooks.redrive,
    });
    return {
      services: {},
      resolvers: [new DeadLetterResolver(service)],
    };
  },
});
