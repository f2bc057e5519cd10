import openapi from '../../rest-compat/generated/openapi.json' with { type: 'json' };

export interface JsonSchema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  schema: JsonSchema;
}

/** One operation as `openapi.json` declares it. */
export interface RestOperation {
  method: string;
  /** The path with its parameters in braces. */
  route: string;
  parameters: Parameter[];
  /** Schema of the JSON body; undefined when the operation takes none. */
  bodySchema: JsonSchema | undefined;
  /** Whether the body is the input of a run, flat or wrapped, JSON or text. */
  takesRunInput: boolean;
  /** Whether the body is passed to a model provider unchanged, and not stored. */
  isPassedOn: boolean;
  auth: 'none' | 'service' | 'caller';
}

interface DeclaredOperation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  security: Record<string, unknown>[];
}

export const REST_OPERATIONS: RestOperation[] = Object.entries(openapi.paths).flatMap(([route, methods]) =>
  Object.entries(methods as unknown as Record<string, DeclaredOperation>).map(([method, declared]) => {
    const content = declared.requestBody?.content;
    const names = declared.security.flatMap(one => Object.keys(one));
    return {
      method: method.toUpperCase(),
      route,
      parameters: declared.parameters ?? [],
      bodySchema: content?.['application/json']?.schema,
      takesRunInput: content?.['text/plain'] !== undefined,
      isPassedOn: route.startsWith('/v1/'),
      auth: names.length === 0 ? 'none' : names.includes('serviceToken') ? 'service' : 'caller',
    };
  }),
);

/** Methods that a path has. */
export function methodsOf(route: string): string[] {
  return REST_OPERATIONS.filter(operation => operation.route === route).map(({ method }) => method);
}
