import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface S3Server {
  endpoint: string;
  /** Contents by path. */
  objects: Map<string, Buffer>;
  /** The methods that came, each with the status it got. */
  requests: string[];
  /** Statuses to answer the next requests with, in place of doing what they ask. */
  failures: number[];
  close(): void;
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const hex = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** Object storage in memory that checks every signature as the specification of Signature Version 4 says. */
export async function startS3Server(keys: { accessKeyId: string; secretAccessKey: string }): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const failures: number[] = [];
  const server = http.createServer(async (request, response) => {
    const body = await buffer(request);
    const path = request.url ?? '/';
    const answer = (status: number, content?: Buffer | string) => {
      requests.push(`${request.method} ${status}`);
      response.writeHead(status, { 'content-type': 'application/xml' }).end(content);
    };
    const failure = failures.shift();
    if (failure !== undefined) return answer(failure, '<Error><Code>InternalError</Code></Error>');
    if (request.headers['transfer-encoding']) return answer(411);
    if (!isSigned(request, body, keys)) return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>');
    if (request.method === 'PUT') objects.set(path, body);
    if (request.method === 'DELETE') objects.delete(path);
    if (request.method !== 'GET') return answer(request.method === 'PUT' ? 200 : 204);
    const content = objects.get(path);
    answer(content ? 200 : 404, content);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    failures,
    close: () => server.close(),
  };
}

function isSigned(request: http.IncomingMessage, body: Buffer, keys: Parameters<typeof startS3Server>[0]): boolean {
  const authorization = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
    request.headers.authorization ?? '',
  );
  if (!authorization) return false;
  const [, credential = '', signedHeaders = '', signature] = authorization;
  const [accessKeyId, day = '', region = '', service = ''] = credential.split('/');
  const payload = String(request.headers['x-amz-content-sha256']);
  if (accessKeyId !== keys.accessKeyId || service !== 's3' || payload !== hex(body)) return false;
  if (!signedHeaders.split(';').includes('host')) return false;
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const headers = signedHeaders.split(';').map(name => `${name}:${request.headers[name]}\n`);
  const canonical = [request.method, path, query, headers.join(''), signedHeaders, payload].join('\n');
  const at = String(request.headers['x-amz-date']);
  const text = ['AWS4-HMAC-SHA256', at, `${day}/${region}/s3/aws4_request`, hex(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`);
  return hmac(key, text).toString('hex') === signature;
}
