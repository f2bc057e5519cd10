import { defineEntity, p } from '@mikro-orm/core';
import type { Operation } from '../../engine/openapi/read-operation.js';
import { ApiDefinitionEntity } from './api-definition.entity.js';

/** How the request of an operation is built from its arguments. */
export type StoredRequest = Pick<Operation, 'arguments' | 'body'>;

/** An operation of an imported OpenAPI document. */
export const ApiOperationEntity = defineEntity({
  name: 'ApiOperation',
  tableName: 'api_operation',
  properties: {
    id: p.integer().primary().autoincrement(),
    apiDefinition: () =>
      p.manyToOne(ApiDefinitionEntity).deleteRule('cascade').foreignKeyName('api_operation_api_definition_id_fkey'),
    /** In the order of the document. */
    position: p.integer(),
    /** Name as a tool, unique in the document. */
    name: p.text(),
    operationId: p.text().nullable(),
    method: p.text(),
    path: p.text(),
    summary: p.text().default(''),
    description: p.text().default(''),
    parameters: p.json<unknown>(),
    request: p.json<unknown>(),
  },
  uniques: [{ name: 'api_operation_of_definition', properties: ['apiDefinition', 'position'] }],
});
