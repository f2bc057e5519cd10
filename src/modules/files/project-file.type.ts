import { Field, Int, ObjectType } from 'type-graphql';
import { expression } from '../../platform/database/typed-queries.js';
import { DateTime, UUID } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';

@ObjectType({
  description:
    'A file that workflows use as a value: uploaded for a run, or created by one. It is deleted with the results of the last run that uses it; an upload without a run after 24 hours.',
})
export class ProjectFile {
  @Field(() => UUID, {
    description: 'The id of the file, a UUID. Unique. The value of an input field of the type file.',
  })
  id!: string;

  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => UUID, {
    nullable: true,
    description: 'The id of the last run that uses the file. Null: no run has used it yet.',
  })
  runId!: string | null;

  @Field(() => String, { description: 'The name without folders, at most 255 characters.' })
  name!: string;

  @Field(() => String, { description: 'The media type detected from the content, such as `application/pdf`.' })
  contentType!: string;

  @Field(() => Int, { description: 'The size in bytes.' })
  size!: number;

  @Field(() => String, { description: 'The SHA-256 of the content in lower-case hexadecimal, 64 characters.' })
  sha256!: string;

  @Field(() => DateTime, { description: 'When the file was stored.' })
  createdAt!: Date;

  /** Storage key. */
  resultFile!: string;
}

@ObjectType({ description: 'One page of files.' })
export class ProjectFilePage extends pageOf(ProjectFile) {}

/** The columns of `project_file`, named as the members of a ProjectFile. */
export const FILE_COLUMNS = [
  ...(['f.id', 'f.project_id as projectId', 'f.run_id as runId', 'f.filename as name'] as const),
  ...(['f.content_type as contentType', 'f.size', 'f.created_at as createdAt'] as const),
  ...(['f.result_file as resultFile'] as const),
  expression<string>`encode(f.sha256, 'hex')`.as('sha256'),
] as const;
