import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { MaintenanceResolver } from './maintenance.resolver.js';
import { MaintenanceService } from './maintenance.service.js';
import { MaintenanceState } from './maintenance-state.js';
import { ServiceSettingEntity } from './service-setting.entity.js';

/** The maintenance mode, in which the service refuses API requests while runs continue. */
export const maintenance = defineModule({
  name: 'maintenance',
  needs: { accounts },
  entities: [ServiceSettingEntity],
  resolvers: [MaintenanceResolver],
  create({ telemetry, database, bus }) {
    const service = new MaintenanceService(database);
    return {
      services: { state: new MaintenanceState(service, bus, telemetry.log) },
      resolvers: [new MaintenanceResolver(service)],
    };
  },
});
