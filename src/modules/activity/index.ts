import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { ActivityReader } from './activity-reader.js';
import { ProjectActivitySubscriptionResolver } from './project-activity.subscription.js';
import { ProjectActivityWatch } from './project-activity-watch.js';

export const activity = defineModule({
  name: 'activity',
  needs: { accounts, projects },
  resolvers: [ProjectActivitySubscriptionResolver],
  create({ database, bus }, { projects: { access } }) {
    const watch = new ProjectActivityWatch(new ActivityReader(database), access, bus);
    return {
      services: {},
      resolvers: [new ProjectActivitySubscriptionResolver()],
      streams: {
        projectActivity: (viewer, args) =>
          watch.changes(viewer, args.projectId as number, (args.after as string | null | undefined) ?? null),
      },
    };
  },
});
