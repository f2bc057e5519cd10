import type { Fixture } from './fixtures/fixtures.js';
import { BAD_INPUT_IF_MISSING, type GraphQLRow, graphqlRow as row } from './rows.js';

const READ_RULE = { action: 'project.read' } as const;
const UPDATE_RULE = { action: 'recognition.update' } as const;
const ofProject = (fixture: Fixture) => ({ projectId: fixture.project });
const inProject = (fixture: Fixture) => ({ filter: { projectId: fixture.project } });
const document = (fixture: Fixture) => ({ id: fixture.document });
const recognition = (fixture: Fixture) => ({ id: fixture.recognition });

/**
 * Documents, project files, recognition runs and their chunks. Which operations report an object that the caller cannot access as a bad
 * value, and which as missing (the default), is a part of the API.
 */
export const GRAPHQL_DOCUMENT_ROWS: GraphQLRow[] = [
  row('documents', 'user', inProject, { namesObject: true }),
  row('document', READ_RULE, document),
  row('documentSearch', READ_RULE, fixture => ({
    ...ofProject(fixture),
    documentIds: [fixture.document],
    query: 'cats',
  })),
  row('documentUpload', { action: 'document.create' }, ofProject, { ...BAD_INPUT_IF_MISSING, uploads: 'files' }),
  row('documentUpdate', { action: 'document.update' }, fixture => ({ ...document(fixture), input: { key: 'new' } })),
  row('documentDelete', { action: 'document.delete' }, document),

  row('recognitionRuns', 'user', inProject, { namesObject: true }),
  row('recognitionRun', READ_RULE, recognition),
  row(
    'recognitionRunCreate',
    { action: 'recognition.run' },
    fixture => ({ input: { projectId: fixture.project, documentId: fixture.document } }),
    BAD_INPUT_IF_MISSING,
  ),
  row('recognitionRunChunksEnable', UPDATE_RULE, fixture => ({ ...recognition(fixture), isEnabled: false })),
  row('recognitionRunChanged', READ_RULE, recognition),
  row('recognitionChunks', READ_RULE, fixture => ({ recognitionRunId: fixture.recognition }), BAD_INPUT_IF_MISSING),
  row(
    'recognitionChunksConnection',
    READ_RULE,
    fixture => ({ recognitionRunId: fixture.recognition }),
    BAD_INPUT_IF_MISSING,
  ),
  row('recognitionChunk', READ_RULE, fixture => ({ id: fixture.chunk })),
  row('recognitionChunkEnable', UPDATE_RULE, fixture => ({
    recognitionRunId: fixture.recognition,
    id: fixture.chunk,
    isEnabled: false,
  })),

  row('projectFiles', READ_RULE, fixture => ({ projectId: fixture.project })),
  row('projectFile', READ_RULE, fixture => ({ id: fixture.file })),
  row('projectFileUpload', { action: 'file.create' }, fixture => ({ projectId: fixture.project }), {
    ...BAD_INPUT_IF_MISSING,
    uploads: 'file',
  }),
  row('projectFileDelete', { action: 'file.delete' }, fixture => ({ id: fixture.file })),
  // The rows of the fixtures have no content in the storage.
  row('projectFileToDocument', { action: 'document.create' }, fixture => ({ id: fixture.file }), {
    success: 'CONFLICT',
  }),
];
