import { GraphQLScalarType } from 'graphql';
import { type FileUpload, Upload as MultipartUpload } from 'graphql-upload-ts';
import type { Spool } from '../../providers/storage/spool.js';
import { SpooledFile } from '../../providers/storage/spooled-file.js';

/** A received file (REST), or a file that is still being received (multipart request to GraphQL). */
export type UploadedFile = SpooledFile | Promise<FileUpload>;

export const Upload = new GraphQLScalarType<UploadedFile, never>({
  name: 'Upload',
  description:
    'A file of a multipart request, at most MAX_UPLOAD_MB (default 50 MiB). Its variable is null in `operations`; `map` names the part with the file. The request needs the header `Apollo-Require-Preflight`.',
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  parseValue: value => {
    if (value instanceof SpooledFile) return value;
    if (value instanceof MultipartUpload) return value.promise;
    throw new TypeError('A file is required: send a multipart/form-data request.');
  },
  parseLiteral: () => {
    throw new TypeError('Send the file as a variable of a multipart/form-data request.');
  },
  serialize: () => {
    throw new TypeError('The scalar Upload is input only.');
  },
});

/** Waits until the file is completely in the spool. The caller must discard it. */
export async function receiveUpload(spool: Spool, file: UploadedFile): Promise<SpooledFile> {
  if (file instanceof SpooledFile) return file;
  try {
    const { filename, createReadStream } = await file;
    return await spool.receive(createReadStream(), filename);
  } catch (error) {
    // The multipart parser stores the file in front of the spool and ends it with an error of its own when it is too large.
    if ((error as { status?: unknown }).status === 413) throw spool.tooLarge();
    throw error;
  }
}
