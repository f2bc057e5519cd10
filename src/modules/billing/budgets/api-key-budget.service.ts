import type { Database } from '../../../platform/database/database.js';
import { ForbiddenError, NotFoundError } from '../../../platform/errors/errors.js';
import { type Currencies, subtractAll } from '../../../platform/money/money.js';
import type { ApiKey } from '../../accounts/api-keys/api-key.js';
import type { ApiKeyService } from '../../accounts/api-keys/api-key.service.js';
import { waitForLeaseExpiry } from '../../accounts/api-keys/key-leases.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import { setKeyBudget } from '../../accounts/users/spending-limits.js';
import { assertAdministrator } from '../../accounts/users/user.service.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ApiKeyBudget } from './api-key-budget.type.js';
import { checkLimit } from './limit-usd.js';

/** Manages the spending limits of API keys. */
export class ApiKeyBudgetService {
  constructor(
    private readonly database: Database,
    private readonly keys: ApiKeyService,
    private readonly currencies: Currencies,
  ) {}

  /** Sets the spending limit in US dollars; null removes it. Earlier spending counts towards the limit. */
  async set(viewer: Viewer, id: number, limitUsd: string | null | undefined): Promise<ApiKey> {
    assertAdministrator(viewer);
    if (viewer.isKeyLimited)
      throw new ForbiddenError('An API key with a spending limit cannot change spending limits.');
    checkLimit(limitUsd);
    await this.database.transaction(async sql => {
      if (!(await setKeyBudget(sql, id, limitUsd ?? null))) throw new NotFoundError();
      const object = { type: 'api-key', id };
      await recordAuditEvent(sql, viewer, { action: 'api-key.set-budget', object, detail: { limitUsd } });
    });
    await waitForLeaseExpiry();
    return this.keys.get(viewer, id);
  }

  of({ budgetUsd, spentUsd, reservedUsd }: ApiKey): ApiKeyBudget | null {
    if (budgetUsd === null) return null;
    return {
      limit: this.currencies.of(budgetUsd),
      spent: this.currencies.of(spentUsd),
      reserved: this.currencies.of(reservedUsd),
      remaining: this.currencies.of(subtractAll(budgetUsd, [spentUsd, reservedUsd])),
    };
  }
}
