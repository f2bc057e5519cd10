import type { Database, Sql } from '../../platform/database/database.js';
import { UnavailableError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { Bus } from '../../platform/messaging/bus.js';
import { recordDeed } from '../accounts/audit.js';
import { demandAdministrator } from '../accounts/users/user.service.js';
import type { Viewer } from '../accounts/viewer.js';
import type { Maintenance } from './maintenance.type.js';

export interface MaintenanceChange {
  isOn: boolean;
  /** At most 500 characters; absent or null: none. */
  message?: string | null | undefined;
}

/** The topic that tells every process to look again. */
export const MAINTENANCE_TOPIC = 'maintenance';

const RETRY_AFTER_SECONDS = 30;
const MAX_MESSAGE = 500;

// Switched on while it is on, it keeps the time since when it is.
const SET = `
  insert into service_setting as s (name, value)
  values ('maintenance', jsonb_build_object('isOn', $1::boolean, 'message', $2::text, 'since', case when $1 then now() end))
  on conflict (name) do update
     set updated_at = now(),
         value = case when $1 and (s.value->>'isOn')::boolean
                      then excluded.value || jsonb_build_object('since', s.value->'since') else excluded.value end
  returning value`;

const READ = `select value from service_setting where name = 'maintenance'`;

interface Stored {
  isOn: boolean;
  message: string;
  since: string | null;
}

/** The switch in the database. Whoever turns it tells all processes once the change is committed. */
export class MaintenanceService {
  constructor(private readonly database: Database) {}

  async get(viewer: Viewer): Promise<Maintenance> {
    demandAdministrator(viewer);
    return this.read();
  }

  async read(): Promise<Maintenance> {
    const [row] = await this.database.query<{ value: Stored }>(READ);
    return row ? maintenanceOf(row.value) : { isOn: false, message: '', since: null };
  }

  /** For administrators alone. Turning it off forgets the message. */
  async set(viewer: Viewer, { isOn, message }: MaintenanceChange): Promise<Maintenance> {
    demandAdministrator(viewer);
    const faults = new Faults();
    faults.text('message', message ?? undefined, { max: MAX_MESSAGE });
    faults.throwIfAny();
    return this.database.transaction(async sql => {
      const [row] = await sql.query<{ value: Stored }>(SET, [isOn, isOn ? (message ?? '').trim() : '']);
      await recordDeed(sql, viewer, {
        action: 'maintenance.set',
        object: { type: 'service', id: 'maintenance' },
        detail: { is_on: isOn },
      });
      await announce(sql);
      return maintenanceOf(row!.value);
    });
  }
}

/** What callers are answered while it is on. */
export function maintenanceRefusal({ message }: Maintenance): UnavailableError {
  return new UnavailableError(message || 'The service is closed for maintenance.', RETRY_AFTER_SECONDS);
}

async function announce(sql: Sql): Promise<void> {
  await sql.query(Bus.notifySql, [Bus.payloads([MAINTENANCE_TOPIC])]);
}

function maintenanceOf({ isOn, message, since }: Stored): Maintenance {
  return { isOn, message, since: since === null ? null : new Date(since) };
}
