import type { Database } from '../../../platform/database/database.js';
import { type Currencies, subtractAll } from '../../../platform/money/money.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import type { Project } from '../../projects/project.js';
import type { ProjectService } from '../../projects/project.service.js';
import { setProjectBudget } from '../../projects/spending-limits.js';
import { checkLimit } from './limit-usd.js';
import type { ProjectBudget } from './project-budget.type.js';

/** Manages the spending limits of projects. */
export class ProjectBudgetService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly projects: ProjectService,
    private readonly currencies: Currencies,
  ) {}

  /** Sets the spending limit in US dollars; null removes it. Earlier spending counts towards the limit. */
  async set(viewer: Viewer, projectId: number, limitUsd: string | null | undefined): Promise<Project> {
    await this.access.authorize(viewer, projectId, 'project.set-budget');
    checkLimit(limitUsd);
    await this.database.transaction(async sql => {
      await setProjectBudget(sql, projectId, limitUsd ?? null);
      const object = { type: 'project', id: projectId };
      await recordAuditEvent(sql, viewer, { action: 'project.set-budget', object, projectId, detail: { limitUsd } });
    });
    return this.projects.get(viewer, projectId);
  }

  of({ budgetUsd, totalSpentUsd, reservedUsd }: Project): ProjectBudget | null {
    if (budgetUsd === null) return null;
    return {
      limit: this.currencies.of(budgetUsd),
      spent: this.currencies.of(totalSpentUsd),
      reserved: this.currencies.of(reservedUsd),
      remaining: this.currencies.of(subtractAll(budgetUsd, [totalSpentUsd, reservedUsd])),
    };
  }
}
