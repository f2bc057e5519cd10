import { nodeSettings, toolSettings } from '../../engine/openapi/operation-settings.js';
import type { NamedOperation } from '../../engine/openapi/read-document.js';
import type { ApiDefinition, ApiOperation } from './api-definition.type.js';
import type { StoredRequest } from './api-operation.entity.js';

/** The columns of the type `ApiDefinition`. */
export const DEFINITION_COLUMNS = [
  'id',
  'project_id as projectId',
  'name',
  'title',
  'version',
  'source_url as sourceUrl',
  'base_url as baseUrl',
  'connection_id as connectionId',
  'operations_count as operationsCount',
  'skipped_operations as skippedOperations',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

/** The columns of an operation. */
export const OPERATION_COLUMNS = [
  'id',
  'name',
  'operation_id as operationId',
  'method',
  'path',
  'summary',
  'description',
  'parameters',
  'request',
] as const;

interface OperationRow extends Omit<ApiOperation, 'agentTool' | 'httpNode' | 'parameters'> {
  parameters: unknown;
  request: unknown;
}

/** Builds an operation from its row, with the settings of an agent tool and of an HTTP node that call it. */
export function toApiOperation({ request, ...row }: OperationRow, definition: ApiDefinition): ApiOperation {
  const parameters = row.parameters as NamedOperation['parameters'];
  const operation = {
    ...row,
    parameters,
    method: row.method as NamedOperation['method'],
    ...(request as StoredRequest),
  };
  return {
    ...row,
    parameters,
    agentTool: toolSettings(operation, definition),
    httpNode: nodeSettings(operation, definition),
  };
}
