import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { SampleItem } from './sample-item.js';
import { SampleItemResolver } from './sample-item.resolver.js';
import { SampleItemService } from './sample-item.service.js';

export const sampleItems = defineModule({
  name: 'sample-items',
  needs: { accounts, projects },
  entities: [SampleItem],
  resolvers: [SampleItemResolver],
  create({ database }, { projects: { access } }) {
    return { services: {}, resolvers: [new SampleItemResolver(new SampleItemService(database, access))] };
  },
});
