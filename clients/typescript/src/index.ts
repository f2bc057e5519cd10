export * from './client.js';
export * from './errors.js';
export type { Operation } from './operation.js';
export type * as Schema from './schema.generated.js';
export type { ClientOptions } from './transport.js';
