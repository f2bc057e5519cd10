import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../base/page.type.js';
import { Document } from './document.js';
import { Upload, type UploadedFile } from './upload.scalar.js';

@InputType({ description: 'Which documents to list.' })
export class DocumentFilter {
  @Field(() => Int, { nullable: true, description: 'Those of this project.' })
  project?: number | null;

  @Field(() => String, { nullable: true, description: 'Part of the filename, in any case; `%` and `_` are literal.' })
  filenameContains?: string | null;
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
