import { OPERATOR } from '../modules/accounts/viewer.js';
import { MaintenanceService } from '../modules/maintenance/maintenance.service.js';
import type { CliContext, Options } from './arguments.js';
import { withDatabase } from './open-database.js';

/** Switches maintenance mode like the mutation `maintenanceSet`. Running processes apply it within a second. */
export async function setMaintenance(isOn: boolean, { message }: Options, { env, print }: CliContext): Promise<void> {
  const text = typeof message === 'string' ? message : null;
  await withDatabase(env, database => new MaintenanceService(database).set(OPERATOR, { isOn, message: text }));
  print(isOn ? 'The service is closed for maintenance.' : 'The service is open.');
}
