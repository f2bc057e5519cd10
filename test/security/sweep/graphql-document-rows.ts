import type { Place } from './places/places.js';
import { type GraphQLMore, type GraphQLRow, graphqlRow as row } from './rows.js';

const read = { action: 'project.read' } as const;
const change = { action: 'recognition.update' } as const;
const ofProject = (place: Place) => ({ projectId: place.project });
const inProject = (place: Place) => ({ filter: { project: place.project } });
const document = (place: Place) => ({ id: place.document });
const recognition = (place: Place) => ({ id: place.recognition });
/** An object that an input names is a bad value of the member when it is not the caller's. */
const named: GraphQLMore = { missing: 'BAD_USER_INPUT' };

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
    place => ({ input: { project: place.project, document: place.document } }),
    named,
  ),
  row('recognitionRunChunksEnable', change, place => ({ ...recognition(place), isEnabled: false })),
  row('recognitionRunChanged', read, recognition),
  row('recognitionChunks', read, place => ({ recognitionrun: place.recognition }), named),
  row('recognitionChunk', read, place => ({ id: place.chunk })),
  row('recognitionChunkEnable', change, place => ({ runId: place.recognition, id: place.chunk, isEnabled: false })),
];
