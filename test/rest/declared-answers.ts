import { Ajv2020 } from 'ajv/dist/2020.js';
import openapi from '../../rest-compat/generated/openapi.json' with { type: 'json' };
import type { RestAnswer, RestOptions, TestService } from '../support/service.js';

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('int32', { type: 'number', validate: value => value === (value | 0) });
ajv.addFormat('date', text => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(`${text}T`) ?? false);
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
ajv.addSchema(openapi, 'openapi');

interface DeclaredResponse {
  content?: Record<string, unknown>;
  headers?: Record<string, unknown>;
}

interface DeclaredOperation {
  responses: Record<string, DeclaredResponse>;
}

/** Headers of errors and successes that must be declared; an error may have those of a success without a declaration. */
const ERROR_HEADERS = ['retry-after', 'www-authenticate'];
const SUCCESS_HEADERS = [...Object.keys(openapi.components.headers), 'ETag', 'Idempotent-Replayed'].map(name =>
  name.toLowerCase(),
);

const patterns = Object.keys(openapi.paths)
  .toSorted((a, b) => a.split('{').length - b.split('{').length)
  .map(path => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '/?')}$`) }));

/** Sends one request whose answer must match `openapi.json`: its status, and a body of the declared schema. */
export async function restAsDeclared(
  service: TestService,
  method: string,
  path: string,
  options: RestOptions = {},
): Promise<RestAnswer> {
  const answer = await service.rest(method, path, options);
  const fault = declarationFault(method, path, answer) ?? headerFault(method, path, answer);
  if (fault !== null) throw new Error(`${method} ${path} answered ${answer.status}: ${fault}`);
  return answer;
}

/** The difference between an answer and its declaration in `openapi.json`; null when there is none. */
export function declarationFault(
  method: string,
  path: string,
  { status, body }: Pick<RestAnswer, 'status' | 'body'>,
): string | null {
  const declared = declaredPath(path);
  if (!declared) return 'no such path is declared';
  const operations = openapi.paths[declared.path as keyof typeof openapi.paths] as Record<string, DeclaredOperation>;
  const operation = operations[method.toLowerCase()];
  if (!operation) return 'no such method is declared';
  const response = operation.responses[String(status)];
  if (!response) return `the status is not declared; the body was ${JSON.stringify(body)}`;
  if (!response.content) return body === null ? null : 'a body came where none is declared';
  const validate = validatorAt([
    'paths',
    declared.path,
    method.toLowerCase(),
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  ]);
  return validate(body) ? null : `${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`;
}

function declaredPath(path: string) {
  const [bare = ''] = path.split('?');
  return patterns.find(({ pattern }) => pattern.test(bare));
}

/** The first header of an answer that its declaration does not have. The answer itself must be declared. */
function headerFault(method: string, path: string, { status, headers }: RestAnswer): string | null {
  const { path: route } = declaredPath(path)!;
  const operations = openapi.paths[route as keyof typeof openapi.paths] as Record<string, DeclaredOperation>;
  const response = operations[method.toLowerCase()]!.responses[String(status)]!;
  const declared = new Set(Object.keys(response.headers ?? {}).map(name => name.toLowerCase()));
  const checked = status < 400 ? SUCCESS_HEADERS : ERROR_HEADERS;
  const name = checked.find(one => headers.has(one) && !declared.has(one));
  return name === undefined ? null : `the header ${name} is not declared`;
}

const validators = new Map<string, ReturnType<typeof ajv.compile>>();

function validatorAt(pointer: readonly string[]) {
  const at = pointer.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const known = validators.get(at);
  if (known) return known;
  const compiled = ajv.compile({ $ref: `openapi#/${at}` });
  validators.set(at, compiled);
  return compiled;
}
