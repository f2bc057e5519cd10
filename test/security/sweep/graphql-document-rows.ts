import type { Place } from './places/places.js';
import { type GraphQLRow, type GraphQLRowOptions, graphqlRow as row } from './rows.js';

const read = { action: 'project.read' } as const;
const change = { action: 'recognition.update' } as const;
const ofProject = (place: Place) => ({ projectId: place.project });
const inProject = (place: Place) => ({ filter: { projectId: place.project } });
const document = (place: Place) => ({ id: place.document });
const recognition = (place: Place) => ({ id: place.recognition });
/** An input member that names an object the caller cannot access is a bad value. */
const named: GraphQLRowOptions = { missing: 'BAD_USER_INPUT' };

/** Documents, recognition runs and their chunks. */
export const GRAPHQL_DOCUMENT_ROWS: GraphQLRow[] = [
  row('documents', read, inProject, named),
  row('document', read, document),
  row('documentSearch', read, place => ({ ...ofProject(place), documentIds: [place.document], query: 'cats' })),
  row('documentUpload', { action: 'document.create' }, ofProject, { ...named, uploads: 'files' }),
  row('documentUpdate', { action: 'document.update' }, place => ({ ...document(place), input: { key: 'new' } })),
  row('documentDelete', { action: 'document.delete' }, document),

  row('recognitionRuns', read, inProject, named),
  row('recognitionRun', read, recognition),
  row(
    'recognitionRunCreate',
    { action: 'recognition.run' },
    place => ({ input: { projectId: place.project, documentId: place.document } }),
    named,
  ),
  row('recognitionRunChunksEnable', change, place => ({ ...recognition(place), isEnabled: false })),
  row('recognitionRunChanged', read, recognition),
  row('recognitionChunks', read, place => ({ recognitionRunId: place.recognition }), named),
  row('recognitionChunksConnection', read, place => ({ recognitionRunId: place.recognition }), named),
  row('recognitionChunk', read, place => ({ id: place.chunk })),
  row('recognitionChunkEnable', change, place => ({
    recognitionRunId: place.recognition,
    id: place.chunk,
    isEnabled: false,
  })),

  row('projectFiles', read, place => ({ projectId: place.project })),
  row('projectFile', read, place => ({ id: place.file })),
  row('projectFileUpload', { action: 'file.create' }, place => ({ projectId: place.project }), {
    ...{ missing: 'BAD_USER_INPUT', uploads: 'file' },
  }),
  row('projectFileDelete', { action: 'file.delete' }, place => ({ id: place.file })),
  row('projectFileToDocument', { action: 'document.create' }, place => ({ id: place.file }), { success: 'CONFLICT' }),
];
