import type { Sql } from '../../platform/database/database.js';

/** The value of the setting `maintenance`. */
export interface StoredMaintenance {
  isOn: boolean;
  message: string;
  since: string | null;
}

// Switched on while it is on, it keeps the time since when it is.
const SET = `
  insert into service_setting as s (name, value)
  values ('maintenance', jsonb_build_object('isOn', $1::boolean, 'message', $2::text, 'since', case when $1 then now() end))
  on conflict (name) do update
     set updated_at = now(),
         value = case when $1 and (s.value->>'isOn')::boolean
                      then excluded.value || jsonb_build_object('since', s.value->'since') else excluded.value end
  returning value`;

/** Switches maintenance and returns what is stored. Raw, because the value is merged inside the database. */
export async function setMaintenance(
  sql: Sql,
  { isOn, message }: { isOn: boolean; message: string },
): Promise<StoredMaintenance> {
  const [row] = await sql.query<{ value: StoredMaintenance }>(SET, [isOn, message]);
  return row!.value;
}
