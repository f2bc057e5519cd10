import { EVERY_TEN_MINUTES, HOURLY } from '../../durable/scheduled-tasks.js';
import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { DocumentEntity } from './document.entity.js';
import { DocumentResolver } from './document.resolver.js';
import { DocumentService } from './document.service.js';
import { DocumentFileRemovalEntity } from './document-file-removal.entity.js';
import { DocumentFiles } from './document-files.js';
import { DocumentProjectResolver, ProjectDocumentsResolver } from './document-relatives.resolver.js';
import { DocumentUploadEntity } from './document-upload.entity.js';
import { FileLinks } from './file-links.js';
import { ProjectStorageEntity } from './project-storage.entity.js';
import { ProjectStorage } from './project-storage.js';
import { ProjectStorageResolver } from './project-storage.resolver.js';
import { UploadRetention } from './upload-retention.js';

export const documents = defineModule({
  name: 'documents',
  needs: { accounts, projects },
  entities: [DocumentEntity, DocumentFileRemovalEntity, DocumentUploadEntity, ProjectStorageEntity],
  resolvers: [DocumentResolver, ProjectStorageResolver, ProjectDocumentsResolver, DocumentProjectResolver],
  create({ config, telemetry, database, vault, storage, spool }, { projects: { access, projects } }) {
    const files = new DocumentFiles(database, storage, telemetry.log);
    const links = new FileLinks(database, vault);
    const projectStorage = new ProjectStorage(database, access, config.projectStorageBytes);
    const documents = new DocumentService({ database, access, files, spool, storage: projectStorage });
    const uploadRetention = new UploadRetention(database);
    return {
      services: { files, links, projectStorage, service: documents },
      resolvers: [
        new DocumentResolver(documents, links),
        new ProjectStorageResolver(projectStorage, projects),
        new ProjectDocumentsResolver(database),
        new DocumentProjectResolver(database),
      ],
      scheduledTasks: [
        { name: 'removing orphaned files', cron: EVERY_TEN_MINUTES, run: () => files.remove() },
        { name: 'deleting upload records', cron: HOURLY, run: () => uploadRetention.run() },
      ],
    };
  },
});
