import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';

@ObjectType({ description: 'The current terms that the author of a marketplace workflow offers.' })
export class WorkflowTermsOffer {
  @Field(() => Int, { description: 'The commission of each run in percent of its AI cost, 0-999.' })
  runFee!: number;

  @Field(() => Int, { description: 'The number of runs without commission for each user.' })
  freeRunsPerUser!: number;
}

@ObjectType({
  description:
    'The terms of a copy: the commission that its runs pay to the author. Only `workflowTermsAccept` by the project of the copy changes them.',
})
export class WorkflowTerms {
  @Field(() => Int, { description: 'The id of the copied marketplace workflow.' })
  marketWorkflowId!: number;

  @Field(() => Int, { description: 'The commission of each run in percent of its AI cost, 0-999.' })
  runFee!: number;

  @Field(() => Int, { description: 'The number of runs without commission for each user.' })
  freeRunsPerUser!: number;

  @Field(() => DateTime, { description: 'When the copy was created or these terms were accepted.' })
  acceptedAt!: Date;

  @Field(() => WorkflowTermsOffer, {
    nullable: true,
    description:
      'The current terms for new copies. They apply to this copy only after `workflowTermsAccept`. Null if the workflow is no longer published.',
  })
  offered!: WorkflowTermsOffer | null;
}
