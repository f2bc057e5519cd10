import { Field, Float, ObjectType } from 'type-graphql';

@ObjectType({ description: 'What the stored files of a project occupy: documents, and images that runs made.' })
export class ProjectStorageUse {
  @Field(() => Float, { description: 'Bytes in use; a whole number.' })
  usedBytes!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Bytes that may be in use; past them an upload is refused. A whole number; null: unlimited.',
  })
  limitBytes!: number | null;
}
