// Extracts the part of an OpenAPI document that a client uses, and checks that a later document still contains it.

const TEXTS = new Set(['description', 'summary', 'example', 'examples']);
const SAMPLES = new Set(['example', 'examples']);

/** Returns the routes that an openapi-fetch client calls: `[{ method: 'post', path: '/api/v1/projects/' }]`. */
export function routesOf(source) {
  return [...source.matchAll(/\.(GET|POST|PUT|PATCH|DELETE)\('([^']+)'/g)].map(([, method, path]) => ({
    method: method.toLowerCase(),
    path,
  }));
}

/** Returns a document with only these routes and the components they reference, without samples. */
export function excerpt({ openapi, info, paths, components }, routes) {
  const used = {};
  for (const { method, path } of routes) {
    if (paths[path]?.[method] === undefined) throw new Error(`openapi.json has no ${method.toUpperCase()} ${path}`);
    used[path] = { ...used[path], [method]: withoutSamples(paths[path][method]) };
  }
  const named = new Map();
  const collect = value => {
    if (typeof value !== 'object' || value === null) return;
    for (const member of Object.values(value)) collect(member);
    const [, kind, name] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(value.$ref ?? '') ?? [];
    if (name === undefined || named.has(value.$ref)) return;
    const component = withoutSamples(components[kind][name]);
    named.set(value.$ref, { kind, name, component });
    collect(component);
  };
  collect(used);
  const { title, version } = info;
  const document = { openapi, info: { title, version }, paths: used, components: {} };
  for (const { kind, name, component } of named.values())
    document.components[kind] = { ...document.components[kind], [name]: component };
  return document;
}

function withoutSamples(value, isNames = false) {
  if (Array.isArray(value)) return value.map(item => withoutSamples(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => isNames || !SAMPLES.has(name));
  // The members of `properties` are names of the API, even if they look like keywords.
  return Object.fromEntries(members.map(([name, member]) => [name, withoutSamples(member, name === 'properties')]));
}

/**
 * Lists the parts of an excerpt that a document lacks, one a line. Texts may differ, and the document may contain
 * more. Requests must not require more than before.
 */
export function missingFrom(excerpted, document) {
  const { paths, components } = excerpted;
  return missing({ paths, components }, document, '', false);
}

function missing(expected, actual, at, isRequest) {
  if (typeof expected !== 'object' || expected === null)
    return expected === actual ? [] : [`${at} was ${text(expected)} and is ${text(actual)}`];
  if (typeof actual !== 'object' || actual === null || Array.isArray(expected) !== Array.isArray(actual))
    return [`${at} is gone`];
  if (Array.isArray(expected)) {
    const gone = expected.filter(item => !actual.some(other => missing(item, other, '', isRequest).length === 0));
    return gone.map(item => `${at} lacks ${text(item)}`);
  }
  const isNames = at.endsWith('.properties');
  return Object.entries(expected)
    .filter(([name]) => isNames || !TEXTS.has(name))
    .flatMap(([name, member]) => {
      const below = isRequest || name === 'requestBody' || name === 'parameters';
      return missing(member, actual[name], `${at}.${name}`, below);
    })
    .concat(isRequest && !isNames ? newRequirements(expected, actual, at) : []);
}

/** Returns members and parameters that a request requires now but did not require before. */
function newRequirements(expected, actual, at) {
  if (!Array.isArray(actual.required)) return [];
  return actual.required.filter(name => !expected.required?.includes(name)).map(name => `${at} asks for ${name}`);
}

const text = value => JSON.stringify(value) ?? 'nothing';
