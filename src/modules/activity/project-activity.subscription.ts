import { Arg, Int, Resolver, Root, Subscription } from 'type-graphql';
import { ProjectActivity } from './project-activity.type.js';

@Resolver(() => ProjectActivity)
export class ProjectActivitySubscriptionResolver {
  @Subscription(() => ProjectActivity, {
    name: 'projectActivity',
    description:
      'What moves in a project, live, whichever process moves it: its runs of workflows and scenarios, recognition runs, keyword runs, and its agents’ requests for approval. First whatever is under way or has moved in the last ten seconds, or, with `after`, whatever has moved since, each as it stands now; then each change of state that is seen. A state that lasted only for a moment may be left out, an end never is; drafts are none of it. What moved in the moment before a cursor may be told again after it. Does not complete. NOT_FOUND when the project is not the caller’s, also once it is so no more.',
    topics: 'projectActivity',
    topicId: ({ args, context }) => ({ args, context }),
  })
  activity(
    @Root() activity: ProjectActivity,
    @Arg('projectId', () => Int, { description: 'The project.' }) _projectId: number,
    @Arg('after', () => String, {
      nullable: true,
      description: 'The last `cursor` seen: go on after it. BAD_USER_INPUT for what is no cursor.',
    })
    _after: string | null,
  ): ProjectActivity {
    return activity;
  }
}
