import { formOf } from '../../support/forms.js';
import type { Fixture } from './fixtures/fixtures.js';
import { type RestRow, type RestRowOptions, restRow as row } from './rows.js';

const read = { action: 'project.read' } as const;
const change = { action: 'recognition.update' } as const;
const document = { id: (fixture: Fixture) => fixture.document };
const recognition = { id: (fixture: Fixture) => fixture.recognition };
const file = { id: (fixture: Fixture) => fixture.file };
/** An input member that names an object the caller cannot access is a bad value. */
const named: RestRowOptions = { namesSomething: true, missing: '400' };
const ofProject: RestRowOptions = { ...named, query: fixture => ({ project: fixture.project }) };

/** Documents, recognition runs and their chunks. */
export const REST_DOCUMENT_ROWS: RestRow[] = [
  row('GET /api/v1/documents/', read, {}, ofProject),
  row(
    'POST /api/v1/documents/',
    { action: 'document.create' },
    {},
    { ...named, body: fixture => formOf({ project: String(fixture.project) }, { file1: ['new.txt', 'dogs'] }) },
  ),
  row('GET /api/v1/documents/{id}/', read, document),
  row('PATCH /api/v1/documents/{id}/', { action: 'document.update' }, document, { body: () => ({ key: 'new' }) }),
  row('DELETE /api/v1/documents/{id}/', { action: 'document.delete' }, document),

  row('GET /api/v1/recognitionruns/', read, {}, ofProject),
  row(
    'POST /api/v1/recognitionruns/',
    { action: 'recognition.run' },
    {},
    { ...named, body: fixture => ({ project: fixture.project, document: fixture.document }) },
  ),
  row('GET /api/v1/recognitionruns/{id}/', read, recognition),
  ...['enable', 'disable'].flatMap(verb => [
    row(`POST /api/v1/recognitionruns/{id}/${verb}-chunks/`, change, recognition),
    row(
      `POST /api/v1/recognitionruns/{recognitionrun}/${verb}-chunk/`,
      change,
      { recognitionrun: fixture => fixture.recognition },
      { body: fixture => ({ id: fixture.chunk }) },
    ),
  ]),
  row(
    'GET /api/v1/recognitionrun-chunks/',
    read,
    {},
    { ...named, query: fixture => ({ recognitionrun: fixture.recognition }) },
  ),
  row('GET /api/v1/recognitionrun-chunks/{id}/', read, { id: fixture => fixture.chunk }),

  row('GET /api/v1/projects/{project}/files/', read, { project: fixture => fixture.project }),
  row(
    'POST /api/v1/files/',
    { action: 'file.create' },
    {},
    {
      ...named,
      body: fixture => formOf({ project: String(fixture.project) }, { file: ['new.txt', 'dogs'] }),
    },
  ),
  row('GET /api/v1/files/{id}/', read, file),
  row('DELETE /api/v1/files/{id}/', { action: 'file.delete' }, file),
  // The rows of the fixtures have no content in the storage.
  row('POST /api/v1/files/{id}/document/', { action: 'document.create' }, file, { status: 409 }),
];
