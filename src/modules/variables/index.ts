import { ListPayloads } from '../../platform/lists/list-payloads.js';
import { accounts } from '../accounts/index.js';
import { keywords } from '../keywords/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { refreshKeywordVariables, usesKeywordRun } from './keyword-values.js';
import { ProjectVariablesResolver } from './project-variables.resolver.js';
import { Variable } from './variable.js';
import { VariableResolver } from './variable.resolver.js';
import { VariableService } from './variable.service.js';
import { VARIABLE_PAYLOADS } from './variable-reads.js';

/** Variables of scenarios: named values that prompts embed and loops iterate over. */
export const variables = defineModule({
  name: 'variables',
  needs: { accounts, keywords, projects },
  entities: [Variable],
  resolvers: [VariableResolver, ProjectVariablesResolver],
  create({ database, pageBytes }, { keywords, projects: { access } }) {
    keywords.changeListeners.push(refreshKeywordVariables);
    keywords.useConditions.push(usesKeywordRun);
    const payloads = new ListPayloads<Pick<Variable, 'variableNames'>>(database, pageBytes, {
      table: 'variable',
      columns: VARIABLE_PAYLOADS,
    });
    return {
      services: {},
      resolvers: [
        new VariableResolver(new VariableService(database, access), database, payloads),
        new ProjectVariablesResolver(database),
      ],
    };
  },
});
