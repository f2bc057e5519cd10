import { withoutTrailingSlashes } from '../requests/trailing-slashes.js';

/** The storage for uploaded files that STORAGE_URL selects. */
export type StorageLocation =
  | { kind: 'file'; folder: string }
  | {
      kind: 's3';
      bucket: string;
      /** Without leading and trailing slashes; may be empty. */
      prefix: string;
      endpoint: string;
      region: string;
    };

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,62}$/;
const DEFAULT_REGION = 'us-east-1';

/** Parses `file:<folder>` or `s3://bucket/prefix?endpoint=…&region=…`. Returns null for any other text. */
export function parseStorageUrl(text: string): StorageLocation | null {
  return text.startsWith('file:') ? parseFolder(text.slice('file:'.length)) : parseBucket(text);
}

function parseFolder(text: string): StorageLocation | null {
  const folder = text.replace(/^\/\/(?=\/)/, '');
  return folder === '' || folder.startsWith('//') ? null : { kind: 'file', folder };
}

function parseBucket(text: string): StorageLocation | null {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:' || !BUCKET.test(url.hostname) || url.username || url.password) return null;
  const region = url.searchParams.get('region') ?? DEFAULT_REGION;
  const endpoint = parseEndpoint(url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`);
  if (!endpoint || !/^[\w-]{1,64}$/.test(region)) return null;
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix: withoutTrailingSlashes(decodeURIComponent(url.pathname).replace(/^\/+/, '')),
    endpoint: withoutTrailingSlashes(endpoint.href),
    region,
  };
}

function parseEndpoint(text: string): URL | null {
  const endpoint = URL.parse(text);
  return endpoint && /^https?:$/.test(endpoint.protocol) && !endpoint.username && !endpoint.search ? endpoint : null;
}
