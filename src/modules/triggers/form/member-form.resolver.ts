import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { MemberForm, MemberFormAnswer, MemberFormSubmission } from './member-form.type.js';
import type { MemberForms } from './member-forms.js';

@Resolver(() => MemberForm)
export class MemberFormResolver {
  constructor(private readonly forms: MemberForms) {}

  @Query(() => MemberForm, {
    name: 'memberForm',
    description:
      'Returns a form with the access MEMBERS. CONFLICT when the trigger is no such form, or the form is closed. Requires the role viewer.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'Id of the trigger.' }) id: number) {
    return this.forms.get(viewer, id);
  }

  @PayloadMutation({
    returns: { answer: () => MemberFormAnswer },
    name: 'memberFormSubmit',
    description:
      'Submits a form with the access MEMBERS, which starts a run for the user of the trigger. CONFLICT when the form is closed, or the run is refused. Requires the role viewer.',
  })
  submit(
    @Ctx() context: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the trigger.' }) id: number,
    @Arg('submission', () => MemberFormSubmission, { description: 'The submission.' })
    submission: MemberFormSubmission,
  ) {
    return this.forms.submit(context, id, submission);
  }
}
