import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { ActivityReader } from './activity-reader.js';
import { ProjectActivitySubscriptionResolver } from './project-activity.subscription.js';
import { ProjectActivityStreams } from './project-activity-streams.js';

export const activity = defineModule({
  name: 'activity',
  needs: { accounts, projects },
  resolvers: [ProjectActivitySubscriptionResolver],
  create({ database, bus }, { projects: { access } }) {
    const changeStreams = new ProjectActivityStreams(new ActivityReader(database), access, bus);
    return {
      services: {},
      resolvers: [new ProjectActivitySubscriptionResolver()],
      streams: {
        projectActivity: (viewer, args) =>
          changeStreams.open(viewer, args.projectId as number, (args.after as string | null | undefined) ?? null),
      },
    };
  },
});
