import { Field, InputType } from 'type-graphql';
import { Upload, type UploadedFile } from '../../documents/upload.scalar.js';

export const PARTS =
  'Values of fields as the parts of a form, in addition to `input`: texts, and files in a multipart request. They replace the values of `input`. The files belong to the run; when it is refused, they are deleted. Default: none.';

@InputType({ description: 'The value of an input field as the part of a form. Either `text` or `file` is required.' })
export class WorkflowRunInputPart {
  @Field(() => String, { description: 'Id of the input field.' })
  fieldId!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The value as text, for example `5` or `true`. A part for each choice is possible for a field with several choices.',
  })
  text?: string | null;

  @Field(() => Upload, { nullable: true, description: 'The file of a field of the type file.' })
  file?: UploadedFile | null;
}
