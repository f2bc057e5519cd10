import { z } from 'zod';
import { PortError } from '../../../ports.js';
import { charsetOf, knownEncoding, xmlEncodingOf } from '../../../text/decode.js';
import { parseFeed } from '../../../text/feed.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import { addressFaults, connectionReferences } from './connection.js';
import { httpFields, httpSettings, requestOf } from './http.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;

export const rss = nodeKind({
  type: 'rss-node',
  nodeType: 'RSSNode',
  title: 'RSS feed',
  description:
    'Reads an RSS or Atom feed. The content is a JSON object with `title`, `link`, `description` and `items`, in the order of the feed.',
  category: 'integration',
  effects: 'external',
  outputs: oneOutput,
  defaults: { url: '', limit: DEFAULT_LIMIT },
  form: {
    icon: 'rss',
    color: '#0891b2',
    fields: {
      connection_id: httpFields.connection_id!,
      url: httpFields.url!,
      limit: { title: 'Maximum number of items', widget: 'number' },
      headers: httpFields.headers!,
      max_response_bytes: httpFields.max_response_bytes!,
    },
    content: {
      sample:
        '{"title": "News", "link": "https://example.com", "description": "", "items": [{"id": "7", "title": "Open", "link": "https://example.com/7", "summary": "We are open.", "content": "", "author": "Ada", "categories": [], "published_at": "2026-01-01T00:00:00.000Z"}]}',
      schema: {
        type: 'object',
        properties: {
          title: { type: 'string', description: 'Title of the feed.' },
          link: { type: 'string', description: 'Address of the site.' },
          description: { type: 'string', description: 'Description of the feed.' },
          items: { type: 'array', description: 'Entries in the order of the feed.', items: { type: 'object' } },
        },
      },
    },
  },
  settings: setting => {
    const { url, connection_id, headers, max_response_bytes } = httpSettings(setting).shape;
    return z.looseObject({
      url,
      connection_id,
      limit: setting
        .value(z.number().int().min(1).max(MAX_LIMIT))
        .nullish()
        .describe('Maximum number of items, 1-200. Default 20.'),
      headers,
      max_response_bytes,
    });
  },
  references: data => [{ kind: 'host', path: 'url', value: data.url }, ...connectionReferences(data, 'http')],
  check: data => addressFaults(data, 'url'),
  execute: async ({ settings, ports, call }) => {
    const { url, connection_id, limit, headers, max_response_bytes } = settings;
    const accept = {
      Accept: 'application/rss+xml, application/atom+xml, application/xml;q=0.9, */*;q=0.1',
      ...headers,
    };
    const {
      status,
      headers: received,
      body,
    } = await ports.http.request(
      {
        ...requestOf({ method: 'GET', url, connection_id, headers: accept, max_response_bytes }, call),
        response: 'text',
      },
      call,
    );
    if (status >= 400) throw new PortError('http_status', `the server answered with status ${status}`, { status });
    const encoding = charsetOf(received['content-type']) ?? xmlEncodingOf(body);
    if (encoding !== undefined && !knownEncoding(encoding))
      throw new PortError(
        'unknown_encoding',
        `the encoding ${JSON.stringify(encoding.slice(0, 100))} of the feed is not supported`,
        { isFinal: true },
      );
    const feed = parseFeed(body, limit ?? DEFAULT_LIMIT);
    if (!feed) throw new PortError('invalid_feed', 'the response is not an RSS or Atom feed', { isFinal: true });
    return { content: JSON.stringify(feed) };
  },
});
