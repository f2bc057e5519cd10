import { Arg, Int, Resolver, Root, Subscription } from 'type-graphql';
import { streamRequest } from '../../platform/graphql/stream-request.js';
import { ProjectActivity } from './project-activity.type.js';

@Resolver(() => ProjectActivity)
export class ProjectActivitySubscriptionResolver {
  @Subscription(() => ProjectActivity, {
    name: 'projectActivity',
    description:
      'Streams the activity of a project: workflow runs, scenario runs, recognition runs, keyword runs and approval requests of agents. First it returns the current state of all activities in progress or ended within the last ten seconds; with `after`, of all activities changed since the cursor. Then it returns every change of state. Short-lived intermediate states may be skipped; final states never are. Drafts are excluded. Changes shortly before a cursor may be repeated after it. The stream does not complete. NOT_FOUND when the caller is not a member of the project or is removed from it. Requires the role viewer.',
    topics: 'projectActivity',
    topicId: streamRequest,
  })
  activity(
    @Root() activity: ProjectActivity,
    @Arg('projectId', () => Int, { description: 'The id of the project.' }) _projectId: number,
    @Arg('after', () => String, {
      nullable: true,
      description:
        'The last received `cursor`. The stream continues after it. BAD_USER_INPUT when it is not a cursor. Default: start with the activities in progress.',
    })
    _after: string | null,
  ): ProjectActivity {
    return activity;
  }
}
