import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import { serveHttp } from '../support/upstreams/loopback-server.js';

export interface S3Server {
  endpoint: string;
  /** The received requests with the status of each response. */
  requests: string[];
  /** Statuses of the next responses, sent instead of executing the requests. */
  failures: number[];
  close(): Promise<void>;
}

/** The only accepted keys; every signature is checked. */
export const S3_KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** A server of the S3 protocol with one bucket that records its requests. */
export async function startS3Server(bucket: string): Promise<S3Server> {
  const directory = await mkdtemp(path.join(tmpdir(), 's3-'));
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket }] });
  await s3.configureBuckets();
  const handle = s3.callback();
  const requests: string[] = [];
  const failures: number[] = [];
  const server = await serveHttp((request, response) => {
    response.on('finish', () => requests.push(`${request.method} ${request.url} ${response.statusCode}`));
    const failure = failures.shift() ?? (request.headers['transfer-encoding'] ? 411 : undefined);
    if (failure === undefined) return void handle(request, response);
    response.writeHead(failure).end('<Error><Code>InternalError</Code></Error>');
  });
  return {
    endpoint: server.url,
    requests,
    failures,
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
