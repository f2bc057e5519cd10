import type { Table } from '../../platform/database/typed-queries.js';
import type { DocumentEntity } from './document.entity.js';
import type { DocumentFileRemovalEntity } from './document-file-removal.entity.js';
import type { DocumentUploadEntity } from './document-upload.entity.js';
import type { ProjectStorageEntity } from './project-storage.entity.js';

/** Tables that the module's queries use. */
export interface DocumentTables {
  document: Table<typeof DocumentEntity>;
  document_file_removal: Table<typeof DocumentFileRemovalEntity>;
  document_upload: Table<typeof DocumentUploadEntity>;
  project_storage: Table<typeof ProjectStorageEntity>;
}
