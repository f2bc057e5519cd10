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
  description: 'Orders of documents.',
  valuesConfig: {
    CREATED_AT_ASC: { description: 'Oldest first.' },
    CREATED_AT_DESC: { description: 'Newest first.' },
    FILENAME_ASC: { description: 'By name, from A.' },
    FILENAME_DESC: { description: 'By name, from Z.' },
    SIZE_ASC: { description: 'Smallest first.' },
    SIZE_DESC: { description: 'Largest first.' },
  },
});

@InputType({ description: 'Which documents to list. All that is given must hold.' })
export class DocumentFilter extends TimeFilter {
  @Field(() => Int, { nullable: true, description: 'Those of this project.' })
  project?: number | null;

  @Field(() => String, { nullable: true, description: 'Part of the filename, in any case; `%` and `_` are literal.' })
  filenameContains?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A media type such as `application/pdf`, or the first part of one with its slash: `image/`.',
  })
  contentType?: string | null;
}

@InputType({ description: 'Changes to a document; what is left out stays.' })
export class DocumentUpdateInput {
  @Field(() => String, { nullable: true, description: 'At most 255 characters.' })
  key?: string | null;

  @Field(() => String, {
    nullable: true,
    description: '1-255 characters; folders in it are dropped. Default with a new file: its name.',
  })
  filename?: string | null;

  @Field(() => Upload, {
    nullable: true,
    description: 'A file that takes the place of the present one. Chunks of earlier recognition runs stay.',
  })
  file?: UploadedFile | null;
}

@ObjectType({ description: 'One page of documents.' })
export class DocumentPage extends pageOf(Document) {}
