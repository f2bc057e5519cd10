const envelope = { page: 1, size: 10, total: 0, items: [] };
const json = (example: unknown) => ({ 'application/json': { schema: { type: 'object' }, example } });

/** A small document of the shape that the REST generator writes. */
export const openapi = {
  openapi: '3.1.0',
  info: { title: 'Scenarium REST API', version: '1', description: 'Authenticate with the header `X-Api-Key`.' },
  servers: [{ url: '/' }],
  security: [{ ApiKey: [] }],
  tags: [{ name: 'Projects' }, { name: 'Workflows' }],
  components: { securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } } },
  paths: {
    '/api/v1/projects/': {
      get: {
        operationId: 'ListProjects',
        tags: ['Projects'],
        summary: 'List projects',
        parameters: [{ name: 'page', in: 'query', schema: { type: 'integer', default: 1 } }],
        responses: { 200: { description: 'A page of projects.', content: json(envelope) } },
      },
      post: {
        operationId: 'CreateProject',
        tags: ['Projects'],
        summary: 'Create a project',
        requestBody: { required: true, content: json({ name: 'Reports' }) },
        responses: { 201: { description: 'The project.', content: json({ id: 1, name: 'Reports' }) } },
      },
    },
    '/api/v1/workflows/{id}/run/': {
      post: {
        operationId: 'RunWorkflow',
        tags: ['Workflows'],
        summary: 'Run a workflow',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        requestBody: { content: json({ topic: 'tea' }) },
        responses: { 200: { description: 'The receipt.', content: json({ status: 201 }) } },
      },
    },
  },
};
