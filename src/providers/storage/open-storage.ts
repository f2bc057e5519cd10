import { join, resolve } from 'node:path';
import type { StorageLocation } from '../../platform/config/storage-url.js';
import { createOutbound } from '../../platform/outbound/outbound.js';
import { createFileStorage } from './file.js';
import { createS3Storage } from './s3.js';
import { Spool } from './spool.js';
import type { Storage } from './storage.js';

export interface StorageOptions {
  /** Null: the folder `files` in `dataDir`. */
  location: StorageLocation | null;
  dataDir: string;
  aws: { accessKeyId: string | undefined; secretAccessKey: string | undefined };
  maxUploadBytes: number;
}

/** Opens the file storage and the spool folder for uploads. */
export async function openStorage(options: StorageOptions): Promise<{ storage: Storage; spool: Spool }> {
  const { location, dataDir, aws, maxUploadBytes } = options;
  const folder = location?.kind === 'file' ? resolve(location.folder) : join(resolve(dataDir), 'files');
  const spool = await Spool.open(join(folder, '.incoming'), maxUploadBytes);
  if (location?.kind !== 's3') return { storage: createFileStorage(folder), spool };
  // The configuration requires both keys for S3 storage.
  const keys = { accessKeyId: aws.accessKeyId ?? '', secretAccessKey: aws.secretAccessKey ?? '' };
  const outbound = createOutbound({ allow: [], trusted: true });
  // No limit for reads: files that were stored before the upload limit was lowered must stay readable.
  return { storage: createS3Storage(location, keys, outbound, Number.MAX_SAFE_INTEGER), spool };
}
