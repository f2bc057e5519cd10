import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';

@ObjectType({ description: 'An uploaded file of a project. Recognition runs split its text into chunks.' })
export class Document {
  @Field(() => Int, { description: 'Unique id.' })
  id!: number;

  @Field(() => Int, { description: 'Id of the project.' })
  projectId!: number;

  @Field(() => String, {
    description:
      'Name used to refer to the document, at most 255 characters, not necessarily unique. Default: the filename without its extension.',
  })
  key!: string;

  @Field(() => String, { description: 'Name of the uploaded file without folders, at most 255 characters.' })
  filename!: string;

  @Field(() => String, { description: 'Storage key of the file: random and unique.' })
  resultFile!: string;

  @Field(() => String, { description: 'Media type detected from the content, such as `application/pdf`.' })
  contentType!: string;

  @Field(() => Int, { description: 'Size in bytes.' })
  size!: number;

  @Field(() => DateTime, { description: 'When the document was uploaded.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the document was last changed.' })
  updatedAt!: Date;
}

/** The columns of `document`, named as the members of a Document. */
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
