import { createReadStream } from 'node:fs';
import { AwsV4Signer } from 'aws4fetch';
import type { StorageLocation } from '../../platform/config/storage-url.js';
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../platform/outbound/outbound.js';
import { assertKey, type Storage, StoredFileMissingError } from './storage.js';

export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
}

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** Time limit of a response, or of its headers if it is a file. */
const RESPONSE_TIMEOUT_MS = 60_000;
/** Time limit of an operation with a file: long enough for the largest one over a slow connection. */
const TRANSFER_TIMEOUT_MS = 900_000;
/** Maximum bytes of responses without a file. */
const MAX_ANSWER_BYTES = 1024 * 1024;

type Location = Extract<StorageLocation, { kind: 's3' }>;

/** Storage in an S3-compatible service, with one signed request per operation and path-style URLs. `outbound` must trust the endpoint. */
export function createS3Storage(location: Location, keys: S3Keys, outbound: Outbound, maxFileBytes: number): Storage {
  const sign = async (
    method: string,
    key: string,
    { sha256 = EMPTY_SHA256, ...more }: Partial<OutboundRequest> & { sha256?: string } = {},
  ): Promise<OutboundRequest> => {
    assertKey(key);
    const path = [location.bucket, location.prefix, key].filter(Boolean).join('/');
    const signer = new AwsV4Signer({
      ...keys,
      method,
      url: `${location.endpoint}/${path.split('/').map(encodeURIComponent).join('/')}`,
      region: location.region,
      service: 's3',
      headers: { 'X-Amz-Content-Sha256': sha256 },
    });
    const { url, headers } = await signer.sign();
    return {
      method,
      url: url.href,
      // Files must arrive without compression, because their size is known.
      headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
      signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS),
      maxResponseBytes: MAX_ANSWER_BYTES,
      timeoutMs: RESPONSE_TIMEOUT_MS,
      ...more,
    };
  };
  return {
    async put(key, { path, size, sha256 }) {
      const body = { stream: createReadStream(path), length: size };
      try {
        assertSuccess(
          'PUT',
          await outbound.request(await sign('PUT', key, { body, sha256, timeoutMs: TRANSFER_TIMEOUT_MS })),
        );
      } finally {
        body.stream.destroy();
      }
    },
    async open(key) {
      const answer = await outbound.open(await sign('GET', key, { maxResponseBytes: maxFileBytes }));
      if (answer.status === 200) return answer.body;
      answer.body.on('error', () => {}).destroy();
      if (answer.status === 404) throw new StoredFileMissingError(key);
      throw failure('GET', answer);
    },
    async remove(key) {
      const answer = await outbound.request(await sign('DELETE', key));
      if (answer.status !== 404) assertSuccess('DELETE', answer);
    },
  };
}

function assertSuccess(method: string, answer: OutboundAnswer<unknown>): void {
  if (answer.status < 200 || answer.status > 299) throw failure(method, answer);
}

/** Omits the text of the response, which can contain the signed request. */
function failure(method: string, { status }: OutboundAnswer<unknown>): Error {
  return new Error(`the S3 storage answered ${method} with status ${status}`);
}
