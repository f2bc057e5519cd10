import type { RESOLVERS } from '../graphql/schema.js';
import type { AccountService } from '../modules/accounts/sessions/account.service.js';
import { ApiKeyBudgetResolver } from '../modules/billing/budgets/api-key-budget.resolver.js';
import { ApiKeyBudgetService } from '../modules/billing/budgets/api-key-budget.service.js';
import {
  OperatorLimitResolver,
  ProjectLimitResolver,
  UserLimitResolver,
} from '../modules/billing/budgets/operator-limit.resolver.js';
import { OperatorLimitService } from '../modules/billing/budgets/operator-limit.service.js';
import { ProjectBudgetResolver } from '../modules/billing/budgets/project-budget.resolver.js';
import { ProjectBudgetService } from '../modules/billing/budgets/project-budget.service.js';
import type { ProjectAccess } from '../modules/projects/access.js';
import type { ProjectService } from '../modules/projects/project.service.js';
import type { Config } from '../platform/config/config.js';
import type { Database } from '../platform/database/database.js';
import type { Currencies } from '../platform/money/money.js';

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
