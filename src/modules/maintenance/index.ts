import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { MaintenanceResolver } from './maintenance.resolver.js';
import { MaintenanceService } from './maintenance.service.js';
import { MaintenanceWatch } from './maintenance-watch.js';
import { ServiceSettingEntity } from './service-setting.entity.js';

export const maintenance = defineModule({
  name: 'maintenance',
  needs: { accounts },
  entities: [ServiceSettingEntity],
  resolvers: [MaintenanceResolver],
  create({ telemetry, database, bus }) {
    const service = new MaintenanceService(database);
    return {
      services: { watch: new MaintenanceWatch(service, bus, telemetry.log) },
      resolvers: [new MaintenanceResolver(service)],
    };
  },
});
