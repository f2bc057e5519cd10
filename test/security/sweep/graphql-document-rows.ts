import type { Fixture } from './fixtures/fixtures.js';
import { type GraphQLRow, type GraphQLRowOptions, graphqlRow as row } from './rows.js';

const read = { action: 'project.read' } as const;
const change = { action: 'recognition.update' } as const;
const ofProject = (fixture: Fixture) => ({ projectId: fixture.project });
const inProject = (fixture: Fixture) => ({ filter: { projectId: fixture.project } });
const document = (fixture: Fixture) => ({ id: fixture.document });
const recognition = (fixture: Fixture) => ({ id: fixture.recognition });
/** An input member that names an object the caller cannot access is a bad value. */
const named: GraphQLRowOptions = { missing: 'BAD_USER_INPUT' };

/** Documents, recognition runs and their chunks. */
export const GRAPHQL_DOCUMENT_ROWS: GraphQLRow[] = [
  row('documents', read, inProject, named),
  row('document', read, document),
  row('documentSearch', read, fixture => ({ ...ofProject(fixture), documentIds: [fixture.document], query: 'cats' })),
  row('documentUpload', { action: 'document.create' }, ofProject, { ...named, uploads: 'files' }),
  row('documentUpdate', { action: 'document.update' }, fixture => ({ ...document(fixture), input: { key: 'new' } })),
  row('documentDelete', { action: 'document.delete' }, document),

  row('recognitionRuns', read, inProject, named),
  row('recognitionRun', read, recognition),
  row(
    'recognitionRunCreate',
    { action: 'recognition.run' },
    fixture => ({ input: { projectId: fixture.project, documentId: fixture.document } }),
    named,
  ),
  row('recognitionRunChunksEnable', change, fixture => ({ ...recognition(fixture), isEnabled: false })),
  row('recognitionRunChanged', read, recognition),
  row('recognitionChunks', read, fixture => ({ recognitionRunId: fixture.recognition }), named),
  row('recognitionChunksConnection', read, fixture => ({ recognitionRunId: fixture.recognition }), named),
  row('recognitionChunk', read, fixture => ({ id: fixture.chunk })),
  row('recognitionChunkEnable', change, fixture => ({
    recognitionRunId: fixture.recognition,
    id: fixture.chunk,
    isEnabled: false,
  })),

  row('projectFiles', read, fixture => ({ projectId: fixture.project })),
  row('projectFile', read, fixture => ({ id: fixture.file })),
  row('projectFileUpload', { action: 'file.create' }, fixture => ({ projectId: fixture.project }), {
    ...{ missing: 'BAD_USER_INPUT', uploads: 'file' },
  }),
  row('projectFileDelete', { action: 'file.delete' }, fixture => ({ id: fixture.file })),
  row('projectFileToDocument', { action: 'document.create' }, fixture => ({ id: fixture.file }), {
    success: 'CONFLICT',
  }),
];
