import { Field, Float, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Storage use of a project: its documents and the images that its runs created.' })
export class ProjectStorageUse {
  @Field(() => Float, { description: 'Bytes in use, an integer.' })
  usedBytes!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Limit in bytes, an integer; null: unlimited. Above it uploads are rejected.',
  })
  limitBytes!: number | null;
}
