import { ListPayloads } from '../../platform/lists/list-payloads.js';
import { accounts } from '../accounts/index.js';
import { categories } from '../categories/index.js';
import { messages } from '../messages/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { prompts } from '../prompts/index.js';
import { variables } from '../variables/index.js';
import { MessageScenariosResolver } from './message-scenarios.resolver.js';
import { ProjectScenariosResolver } from './project-scenarios.resolver.js';
import { Scenario } from './scenario.js';
import { ScenarioResolver } from './scenario.resolver.js';
import { ScenarioService } from './scenario.service.js';
import { ScenarioMessageEntity } from './scenario-message.entity.js';
import { SCENARIO_PAYLOADS } from './scenario-reads.js';

/** Scenarios: ordered lists of messages, and the copies that runs use. */
export const scenarios = defineModule({
  name: 'scenarios',
  needs: { accounts, categories, messages, projects, prompts, variables },
  entities: [Scenario, ScenarioMessageEntity],
  resolvers: [ScenarioResolver, ProjectScenariosResolver, MessageScenariosResolver],
  create({ database, pageBytes }, { projects: { access } }) {
    const payloads = new ListPayloads<Pick<Scenario, 'readmeGuide'>>(database, pageBytes, {
      table: 'scenario',
      columns: SCENARIO_PAYLOADS,
    });
    return {
      services: {},
      resolvers: [
        new ScenarioResolver(new ScenarioService(database, access), database, access, payloads),
        new ProjectScenariosResolver(database),
        new MessageScenariosResolver(database),
      ],
    };
  },
});
