import { HOURLY } from '../../durable/scheduled-tasks.js';
import { accounts } from '../accounts/index.js';
import { documents } from '../documents/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { ProjectFileEntity } from './project-file.entity.js';
import { ProjectFileResolver } from './project-file.resolver.js';
import { addProjectFileSource, ProjectFileService } from './project-file.service.js';
import { ProjectFileStore } from './project-file-store.js';
import { RunFiles } from './run-files.js';

export const files = defineModule({
  name: 'files',
  needs: { accounts, documents, projects },
  entities: [ProjectFileEntity],
  resolvers: [ProjectFileResolver],
  create(
    { database, spool },
    { documents: { files: storedFiles, links, projectStorage, service }, projects: { access } },
  ) {
    const store = new ProjectFileStore(database, storedFiles, projectStorage, spool);
    const runFiles = new RunFiles(store);
    addProjectFileSource(links);
    const projectFiles = new ProjectFileService({ store, access, storage: projectStorage, documents: service });
    return {
      services: { runFiles },
      resolvers: [new ProjectFileResolver(projectFiles, links)],
      scheduledTasks: [{ name: 'deleting unused files', cron: HOURLY, run: () => runFiles.deleteUnused() }],
    };
  },
});
