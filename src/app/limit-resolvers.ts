import type { Config } from '../base/config.js';
import type { Database } from '../base/database.js';
import type { Currencies } from '../base/money.js';
import type { RESOLVERS } from '../graphql/schema.js';
import type { AccountService } from '../resources/accounts/account.service.js';
import { ApiKeyBudgetResolver } from '../resources/billing/api-key-budget.resolver.js';
import { ApiKeyBudgetService } from '../resources/billing/api-key-budget.service.js';
import {
  OperatorLimitResolver,
  ProjectLimitResolver,
  UserLimitResolver,
} from '../resources/billing/operator-limit.resolver.js';
import { OperatorLimitService } from '../resources/billing/operator-limit.service.js';
import { ProjectBudgetResolver } from '../resources/billing/project-budget.resolver.js';
import { ProjectBudgetService } from '../resources/billing/project-budget.service.js';
import type { ProjectAccess } from '../resources/projects/access.js';
import type { ProjectService } from '../resources/projects/project.service.js';

interface Parts {
  config: Pick<Config, 'defaultLimits'>;
  database: Database;
  accounts: Pick<AccountService, 'keys'>;
  access: ProjectAccess;
  projects: ProjectService;
  currencies: Currencies;
}

/** The resolvers of every spending limit: of projects, of API keys, and of the operator. */
export function limitResolvers(parts: Parts): [(typeof RESOLVERS)[number], object][] {
  const { config, database, accounts, access, projects, currencies } = parts;
  const operatorLimits = new OperatorLimitService(database, config.defaultLimits, currencies);
  return [
    [
      ProjectBudgetResolver,
      new ProjectBudgetResolver(new ProjectBudgetService(database, access, projects, currencies)),
    ],
    [ApiKeyBudgetResolver, new ApiKeyBudgetResolver(new ApiKeyBudgetService(database, accounts.keys, currencies))],
    [OperatorLimitResolver, new OperatorLimitResolver(operatorLimits)],
    [UserLimitResolver, new UserLimitResolver(operatorLimits)],
    [ProjectLimitResolver, new ProjectLimitResolver(operatorLimits)],
  ];
}
