import { formOf } from '../../support/forms.js';
import type { Fixture } from './fixtures/fixtures.js';
import { BAD_REQUEST_IF_MISSING, type RestRow, type RestRowOptions, restRow as row } from './rows.js';

const READ_RULE = { action: 'project.read' } as const;
const UPDATE_RULE = { action: 'recognition.update' } as const;
const document = { id: (fixture: Fixture) => fixture.document };
const recognition = { id: (fixture: Fixture) => fixture.recognition };
const file = { id: (fixture: Fixture) => fixture.file };
const ofProject: RestRowOptions = { namesObject: true, query: fixture => ({ project: fixture.project }) };

/** Documents, project files, recognition runs and their chunks. */
export const REST_DOCUMENT_ROWS: RestRow[] = [
  row('GET /api/v1/documents/', 'user', {}, ofProject),
  row(
    'POST /api/v1/documents/',
    { action: 'document.create' },
    {},
    {
      ...BAD_REQUEST_IF_MISSING,
      body: fixture => formOf({ project: String(fixture.project) }, { file1: ['new.txt', 'dogs'] }),
    },
  ),
  row('GET /api/v1/documents/{id}/', READ_RULE, document),
  row('PATCH /api/v1/documents/{id}/', { action: 'document.update' }, document, { body: () => ({ key: 'new' }) }),
  row('DELETE /api/v1/documents/{id}/', { action: 'document.delete' }, document),

  row('GET /api/v1/recognitionruns/', 'user', {}, ofProject),
  row(
    'POST /api/v1/recognitionruns/',
    { action: 'recognition.run' },
    {},
    { ...BAD_REQUEST_IF_MISSING, body: fixture => ({ project: fixture.project, document: fixture.document }) },
  ),
  row('GET /api/v1/recognitionruns/{id}/', READ_RULE, recognition),
  ...['enable', 'disable'].flatMap(verb => [
    row(`POST /api/v1/recognitionruns/{id}/${verb}-chunks/`, UPDATE_RULE, recognition),
    row(
      `POST /api/v1/recognitionruns/{recognitionrun}/${verb}-chunk/`,
      UPDATE_RULE,
      { recognitionrun: fixture => fixture.recognition },
      { body: fixture => ({ id: fixture.chunk }) },
    ),
  ]),
  row(
    'GET /api/v1/recognitionrun-chunks/',
    READ_RULE,
    {},
    { ...BAD_REQUEST_IF_MISSING, query: fixture => ({ recognitionrun: fixture.recognition }) },
  ),
  row('GET /api/v1/recognitionrun-chunks/{id}/', READ_RULE, { id: fixture => fixture.chunk }),

  row('GET /api/v1/projects/{project}/files/', READ_RULE, { project: fixture => fixture.project }),
  row(
    'POST /api/v1/files/',
    { action: 'file.create' },
    {},
    {
      ...BAD_REQUEST_IF_MISSING,
      body: fixture => formOf({ project: String(fixture.project) }, { file: ['new.txt', 'dogs'] }),
    },
  ),
  row('GET /api/v1/files/{id}/', READ_RULE, file),
  row('DELETE /api/v1/files/{id}/', { action: 'file.delete' }, file),
  // The rows of the fixtures have no content in the storage.
  row('POST /api/v1/files/{id}/document/', { action: 'document.create' }, file, { status: 409 }),
];
