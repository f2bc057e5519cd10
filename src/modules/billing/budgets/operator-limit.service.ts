import type { Database } from '../../../platform/database/database.js';
import { ForbiddenError, NotFoundError } from '../../../platform/errors/errors.js';
import { type Currencies, subtractAll } from '../../../platform/money/money.js';
import { waitForLeaseExpiry } from '../../accounts/api-keys/key-leases.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import { setUserOperatorLimit } from '../../accounts/users/spending-limits.js';
import type { User } from '../../accounts/users/user.js';
import { assertAdministrator } from '../../accounts/users/user.service.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { Project } from '../../projects/project.js';
import { setProjectOperatorLimit } from '../../projects/spending-limits.js';
import type { DefaultLimits } from './default-limits.js';
import { checkLimit } from './limit-usd.js';
import type { OperatorLimit, OperatorLimitInput } from './operator-limit.type.js';

type Counters = Pick<User, 'serviceLimitUsd' | 'serviceSpentUsd' | 'serviceReservedUsd'>;

/** Manages operator limits: the limits of users and projects on spending with provider keys of the service. */
export class OperatorLimitService {
  constructor(
    private readonly database: Database,
    private readonly defaults: DefaultLimits,
    private readonly currencies: Currencies,
  ) {}

  /**
   * Sets the limit of a user or a project; null restores the default. Earlier spending counts towards the
   * limit.
   *
   * @throws ForbiddenError if the viewer is not an administrator or uses an API key with a spending limit
   * @throws NotFoundError if the user or project does not exist
   */
  async set(viewer: Viewer, { holder, limitUsd }: OperatorLimitInput): Promise<OperatorLimit | null> {
    const { userId, projectId } = holder;
    assertAdministrator(viewer);
    if (viewer.isKeyLimited)
      throw new ForbiddenError('An API key with a spending limit cannot change spending limits.');
    checkLimit(limitUsd);
    const [type, id] = userId === undefined ? (['project', projectId!] as const) : (['user', userId] as const);
    const setLimit = userId === undefined ? setProjectOperatorLimit : setUserOperatorLimit;
    const counters = await this.database.transaction(async sql => {
      const row = await setLimit(sql, id, limitUsd ?? null);
      if (!row) throw new NotFoundError();
      const object = { type, id };
      const entry = { action: `${type}.set-operator-limit`, object, detail: { limitUsd } };
      await recordAuditEvent(sql, viewer, { ...entry, projectId: projectId ?? null });
      return row;
    });
    // A key lease has `isSpendingLimited` of its user, read before this change. It has nothing of projects.
    if (userId !== undefined) await waitForLeaseExpiry();
    return this.#toLimit(counters, userId === undefined ? this.defaults.projectUsd : this.defaults.userUsd);
  }

  ofUser(user: User): OperatorLimit | null {
    return this.#toLimit(user, this.defaults.userUsd);
  }

  ofProject(project: Project): OperatorLimit | null {
    return this.#toLimit(project, this.defaults.projectUsd);
  }

  #toLimit({ serviceLimitUsd, serviceSpentUsd, serviceReservedUsd }: Counters, defaultUsd: string | null) {
    const limitUsd = serviceLimitUsd ?? defaultUsd;
    if (limitUsd === null) return null;
    return {
      limit: this.currencies.of(limitUsd),
      isDefault: serviceLimitUsd === null,
      spent: this.currencies.of(serviceSpentUsd),
      reserved: this.currencies.of(serviceReservedUsd),
      remaining: this.currencies.of(subtractAll(limitUsd, [serviceSpentUsd, serviceReservedUsd])),
    };
  }
}
