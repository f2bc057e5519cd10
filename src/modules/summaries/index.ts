import { accounts } from '../accounts/index.js';
import { billing } from '../billing/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { workflowRuns } from '../workflow-runs/index.js';
import { HourlyRollup } from './hourly-rollup.js';
import { RunHourEntity } from './run-hour.entity.js';
import { SpendingHourEntity } from './spending-hour.entity.js';
import { SummaryResolver } from './summary.resolver.js';
import { SummaryService } from './summary.service.js';
import { SummaryProgressEntity } from './summary-progress.entity.js';

/** Hourly sums of costs and ended workflow runs, and the summaries of a project that are read from them. */
export const summaries = defineModule({
  name: 'summaries',
  needs: { accounts, billing, projects, workflowRuns },
  entities: [RunHourEntity, SpendingHourEntity, SummaryProgressEntity],
  resolvers: [SummaryResolver],
  create({ database, currencies }, { projects: { access } }) {
    const rollup = new HourlyRollup(database);
    return {
      services: {},
      resolvers: [new SummaryResolver(new SummaryService(database, access, currencies))],
      scheduledTasks: [{ name: 'summing up hours', cron: '*/5 * * * *', run: () => rollup.run() }],
    };
  },
});
