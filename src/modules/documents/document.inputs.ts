import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { TimeFilter } from '../../platform/lists/time-filter.input.js';
import { Document } from './document.js';
import { Upload, type UploadedFile } from './upload.scalar.js';

export enum DocumentOrder {
  CREATED_AT_ASC = 'CREATED_AT_ASC',
  CREATED_AT_DESC = 'CREATED_AT_DESC',
  FILENAME_ASC = 'FILENAME_ASC',
  FILENAME_DESC = 'FILENAME_DESC',
  SIZE_ASC = 'SIZE_ASC',
  SIZE_DESC = 'SIZE_DESC',
}
registerEnumType(DocumentOrder, {
  name: 'DocumentOrder',
  description: 'Sort order of documents.',
  valuesConfig: {
    CREATED_AT_ASC: { description: 'Oldest first.' },
    CREATED_AT_DESC: { description: 'Newest first.' },
    FILENAME_ASC: { description: 'By filename, A to Z.' },
    FILENAME_DESC: { description: 'By filename, Z to A.' },
    SIZE_ASC: { description: 'Smallest first.' },
    SIZE_DESC: { description: 'Largest first.' },
  },
});

@InputType({ description: 'Restricts a list of documents. All given conditions must match.' })
export class DocumentFilter extends TimeFilter {
  @Field(() => Int, { nullable: true, description: 'Includes only documents of the project with this id.' })
  projectId?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Part of the filename, case-insensitive, at most 255 characters. `%` and `_` are literal.',
  })
  filenameContains?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A media type such as `application/pdf`, or a prefix that ends with a slash, such as `image/`.',
  })
  contentType?: string | null;

  @Field(() => Int, { nullable: true, description: 'Only files of at least this size in bytes, 0 or more.' })
  minSize?: number | null;

  @Field(() => Int, { nullable: true, description: 'Only files of at most this size in bytes, 0 or more.' })
  maxSize?: number | null;
}

@InputType({ description: 'Changes to a document. Omitted fields stay unchanged.' })
export class DocumentUpdateInput {
  @Field(() => String, { nullable: true, description: 'Name used to refer to the document, at most 255 characters.' })
  key?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Filename, 1-255 characters. Folders in it are removed. Default: unchanged, or the name of the new `file`.',
  })
  filename?: string | null;

  @Field(() => Upload, {
    nullable: true,
    description: 'A new file that replaces the current one. Chunks of earlier recognition runs stay.',
  })
  file?: UploadedFile | null;
}

@ObjectType({ description: 'One page of documents.' })
export class DocumentPage extends pageOf(Document) {}
