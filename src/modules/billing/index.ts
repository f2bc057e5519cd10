import { EVERY_MINUTE } from '../../durable/scheduled-tasks.js';
import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { BillingService } from './billing.service.js';
import { BillingCreditEntity } from './billing-credit.entity.js';
import { BillingTransactionEntity } from './billing-transaction.entity.js';
import { ApiKeyBudgetResolver } from './budgets/api-key-budget.resolver.js';
import { ApiKeyBudgetService } from './budgets/api-key-budget.service.js';
import { Budget } from './budgets/budget.js';
import { BudgetReservationEntity } from './budgets/budget-reservation.entity.js';
import { KeyBudget } from './budgets/key-budget.js';
import { KeyBudgetReservationEntity } from './budgets/key-budget-reservation.entity.js';
import { OperatorLimitResolver, ProjectLimitResolver, UserLimitResolver } from './budgets/operator-limit.resolver.js';
import { OperatorLimitService } from './budgets/operator-limit.service.js';
import { ProjectBudgetResolver } from './budgets/project-budget.resolver.js';
import { ProjectBudgetService } from './budgets/project-budget.service.js';
import { EarningsResolver } from './earnings.resolver.js';
import { EarningsService } from './earnings.service.js';

export const billing = defineModule({
  name: 'billing',
  needs: { accounts, projects },
  entities: [BillingCreditEntity, BillingTransactionEntity, BudgetReservationEntity, KeyBudgetReservationEntity],
  resolvers: [
    ProjectBudgetResolver,
    ApiKeyBudgetResolver,
    OperatorLimitResolver,
    UserLimitResolver,
    ProjectLimitResolver,
    EarningsResolver,
  ],
  create({ config, database, currencies }, { accounts: { accounts }, projects: { access, projects } }) {
    const budget = new Budget(database, config.defaultLimits);
    const keyBudget = new KeyBudget(database);
    const limits = new OperatorLimitService(database, config.defaultLimits, currencies);
    return {
      services: { billing: new BillingService(database, currencies), budget, keyBudget },
      resolvers: [
        new ProjectBudgetResolver(new ProjectBudgetService(database, access, projects, currencies)),
        new ApiKeyBudgetResolver(new ApiKeyBudgetService(database, accounts.keys, currencies)),
        new OperatorLimitResolver(limits),
        new UserLimitResolver(limits),
        new ProjectLimitResolver(limits),
        new EarningsResolver(new EarningsService(database, access, currencies)),
      ],
      scheduledTasks: [
        { name: 'dropping reservations', cron: EVERY_MINUTE, run: () => budget.expire() },
        { name: 'dropping reservations of keys', cron: EVERY_MINUTE, run: () => keyBudget.expire() },
      ],
    };
  },
});
