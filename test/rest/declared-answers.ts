import { Ajv2020 } from 'ajv/dist/2020.js';
import openapi from '../../rest-compat/generated/openapi.json' with { type: 'json' };
import type { RestAnswer, RestOptions, TestService } from '../support/service.js';

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('int32', { type: 'number', validate: value => value === (value | 0) });
ajv.addFormat('date', text => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(`${text}T`) ?? false);
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
ajv.addSchema(openapi, 'openapi');

interface DeclaredOperation {
  responses: Record<string, { content?: Record<string, unknown> }>;
}

const patterns = Object.keys(openapi.paths)
  .toSorted((a, b) => a.split('{').length - b.split('{').length)
  .map(path => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '/?')}$`) }));

/** One request whose answer must be as `openapi.json` declares it: its status, and a body of the declared schema. */
export async function restAsDeclared(
  service: TestService,
  method: string,
  path: string,
  options: RestOptions = {},
): Promise<RestAnswer> {
  const answer = await service.rest(method, path, options);
  const fault = declarationFault(method, path, answer);
  if (fault !== null) throw new Error(`${method} ${path} answered ${answer.status}: ${fault}`);
  return answer;
}

/** What is wrong with an answer by `openapi.json`; null when nothing is. */
export function declarationFault(
  method: string,
  path: string,
  { status, body }: Pick<RestAnswer, 'status' | 'body'>,
): string | null {
  const [bare = ''] = path.split('?');
  const declared = patterns.find(({ pattern }) => pattern.test(bare));
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

const validators = new Map<string, ReturnType<typeof ajv.compile>>();

function validatorAt(pointer: readonly string[]) {
  const at = pointer.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const known = validators.get(at);
  if (known) return known;
  const compiled = ajv.compile({ $ref: `openapi#/${at}` });
  validators.set(at, compiled);
  return compiled;
}
