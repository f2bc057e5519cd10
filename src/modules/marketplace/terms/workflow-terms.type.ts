import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';

@ObjectType({ description: 'What the author of a marketplace workflow asks at present.' })
export class WorkflowTermsOffer {
  @Field(() => Int, { description: 'Fee of each run in percent of the AI cost, 0-999.' })
  runFee!: number;

  @Field(() => Int, { description: 'Runs that each user has free of the fee.' })
  freeRunsPerUser!: number;
}

@ObjectType({
  description: 'What the runs of a copied graph pay its author. Only an acceptance by the copy’s project changes it.',
})
export class WorkflowTerms {
  @Field(() => Int, { description: 'The marketplace workflow that was copied.' })
  marketWorkflowId!: number;

  @Field(() => Int, { description: 'Fee of each run in percent of the AI cost, 0-999.' })
  runFee!: number;

  @Field(() => Int, { description: 'Runs that each user has free of the fee.' })
  freeRunsPerUser!: number;

  @Field(() => DateTime, { description: 'When the copy was made, or when these terms were accepted.' })
  acceptedAt!: Date;

  @Field(() => WorkflowTermsOffer, {
    nullable: true,
    description:
      'What the author asks of new copies now; null once the workflow is off the marketplace. It applies to this copy only after `workflowTermsAccept`.',
  })
  offered!: WorkflowTermsOffer | null;
}
