import type { Database, Sql } from '../../platform/database/database.js';
import { expression, NOW, queryBuilder, type Table } from '../../platform/database/typed-queries.js';
import { UnavailableError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { Bus } from '../../platform/messaging/bus.js';
import { recordAuditEvent } from '../accounts/audit.js';
import { assertAdministrator } from '../accounts/users/user.service.js';
import type { Viewer } from '../accounts/viewer.js';
import type { Maintenance } from './maintenance.type.js';
import type { ServiceSettingEntity } from './service-setting.entity.js';

export interface MaintenanceChange {
  isOn: boolean;
  /** The error message for refused requests, at most 500 characters. Absent or null: the standard message. */
  message?: string | null | undefined;
}

/** The topic that notifies all processes of a change. */
export const MAINTENANCE_TOPIC = 'maintenance';

const RETRY_AFTER_SECONDS = 30;
const MAX_MESSAGE = 500;

/** The value of the setting `maintenance`. */
interface StoredMaintenance {
  isOn: boolean;
  message: string;
  since: string | null;
}

interface MaintenanceTables {
  service_setting: Table<typeof ServiceSettingEntity>;
}

/** Reads and changes the maintenance mode in the database. A commit of a change notifies all processes. */
export class MaintenanceService {
  constructor(private readonly database: Database) {}

  async get(viewer: Viewer): Promise<Maintenance> {
    assertAdministrator(viewer);
    return this.read();
  }

  async read(): Promise<Maintenance> {
    const row = await queryBuilder<MaintenanceTables>(this.database)
      .selectFrom('service_setting')
      .select('value')
      .where('name', '=', 'maintenance')
      .executeTakeFirst();
    return row ? maintenanceOf(row.value as StoredMaintenance) : { isOn: false, message: '', since: null };
  }

  /** Changes the mode. Turning it off clears the message. Requires an administrator. */
  async set(viewer: Viewer, { isOn, message }: MaintenanceChange): Promise<Maintenance> {
    assertAdministrator(viewer);
    const faults = new Faults();
    faults.text('message', message ?? undefined, { max: MAX_MESSAGE });
    faults.throwIfAny();
    return this.database.transaction(async sql => {
      const stored = await storeState(sql, { isOn, message: isOn ? (message ?? '').trim() : '' });
      await recordAuditEvent(sql, viewer, {
        action: 'maintenance.set',
        object: { type: 'service', id: 'maintenance' },
        detail: { is_on: isOn },
      });
      await notifyProcesses(sql);
      return maintenanceOf(stored);
    });
  }
}

/** Returns the error for requests during maintenance. */
export function maintenanceRefusal({ message }: Maintenance): UnavailableError {
  return new UnavailableError(message || 'The service is closed for maintenance.', RETRY_AFTER_SECONDS);
}

/** Stores the mode. If it is already on, PostgreSQL keeps the original `since` in the same statement. */
async function storeState(sql: Sql, { isOn, message }: { isOn: boolean; message: string }): Promise<StoredMaintenance> {
  const value = expression<string>`jsonb_build_object('isOn', ${isOn}::boolean, 'message', ${message}::text,
    'since', case when ${isOn}::boolean then now() end)`;
  const row = await queryBuilder<MaintenanceTables>(sql)
    .insertInto('service_setting')
    .values({ name: 'maintenance', value })
    .onConflict(conflict =>
      conflict.column('name').doUpdateSet({
        updated_at: NOW,
        value: expression<string>`case when ${isOn}::boolean and (service_setting.value->>'isOn')::boolean
          then excluded.value || jsonb_build_object('since', service_setting.value->'since') else excluded.value end`,
      }),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value as StoredMaintenance;
}

async function notifyProcesses(sql: Sql): Promise<void> {
  await Bus.notify(sql, [MAINTENANCE_TOPIC]);
}

function maintenanceOf({ isOn, message, since }: StoredMaintenance): Maintenance {
  return { isOn, message, since: since === null ? null : new Date(since) };
}
