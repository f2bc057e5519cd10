import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';

@ObjectType({ description: 'An uploaded file of a project. Recognition runs make chunks of text of it.' })
export class Document {
  @Field(() => Int, { description: 'Unique.' })
  id!: number;

  @Field(() => Int, { description: 'The project it belongs to.' })
  projectId!: number;

  @Field(() => String, {
    description:
      'A name to refer to it by, at most 255 characters; need not be unique. At first the filename without its extension.',
  })
  key!: string;

  @Field(() => String, { description: 'Name of the file as it was uploaded, without folders, at most 255 characters.' })
  filename!: string;

  @Field(() => String, { description: 'The name under which the service keeps the file: random, unique.' })
  resultFile!: string;

  @Field(() => String, { description: 'Media type that the content was found to have, such as `application/pdf`.' })
  contentType!: string;

  @Field(() => Int, { description: 'Bytes.' })
  size!: number;

  @Field(() => DateTime, { description: 'When it was uploaded.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it was last changed.' })
  updatedAt!: Date;
}

/** The columns of `document`, as the members of a Document. */
export const DOCUMENT_COLUMNS = [
  'document.id',
  'document.project_id as projectId',
  'document.key',
  'document.filename',
  'document.result_file as resultFile',
  'document.content_type as contentType',
  'document.size',
  'document.created_at as createdAt',
  'document.updated_at as updatedAt',
] as const;
