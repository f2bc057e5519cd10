import { GraphQLScalarType } from 'graphql';
import { type FileUpload, Upload as MultipartUpload } from 'graphql-upload-ts';
import type { Spool } from '../../providers/storage/spool.js';
import { SpooledFile } from '../../providers/storage/spooled-file.js';

/** A file that has arrived (by REST), or one that is arriving (in a multipart request by GraphQL). */
export type UploadedFile = SpooledFile | Promise<FileUpload>;

export const Upload = new GraphQLScalarType<UploadedFile, never>({
  name: 'Upload',
  description:
    'A file of a multipart request, at most MAX_UPLOAD_MB (50 MiB) large. Its variable is null in `operations`; `map` names the part that holds it. Such requests carry the header `Apollo-Require-Preflight`.',
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  parseValue: value => {
    if (value instanceof SpooledFile) return value;
    if (value instanceof MultipartUpload) return value.promise;
    throw new TypeError('A file is required, in a multipart/form-data request.');
  },
  parseLiteral: () => {
    throw new TypeError('A file is given as a variable, in a multipart/form-data request.');
  },
  serialize: () => {
    throw new TypeError('A file is answered as a link.');
  },
});

/** The file whole in the spool; whoever asked for it discards it in the end. */
export async function arrived(spool: Spool, file: UploadedFile): Promise<SpooledFile> {
  if (file instanceof SpooledFile) return file;
  try {
    const { filename, createReadStream } = await file;
    return await spool.receive(createReadStream(), filename);
  } catch (error) {
    // The parser keeps a limit of its own, a byte above ours, and may meet it first.
    if ((error as { status?: unknown }).status === 413) throw spool.tooLarge();
    throw error;
  }
}
