import { OpenApiReader } from '../../providers/openapi/open-api-reader.js';
import { accounts } from '../accounts/index.js';
import { connections } from '../connections/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { ApiDefinitionEntity } from './api-definition.entity.js';
import { ApiDefinitionResolver } from './api-definition.resolver.js';
import { ApiDefinitionService } from './api-definition.service.js';
import { ApiDefinitionImporter } from './api-definition-importer.js';
import { ApiOperationEntity } from './api-operation.entity.js';

export const apiDefinitions = defineModule({
  name: 'api-definitions',
  needs: { accounts, connections, projects },
  entities: [ApiDefinitionEntity, ApiOperationEntity],
  resolvers: [ApiDefinitionResolver],
  create({ database, outbound, telemetry }, { connections: { connectionStore }, projects: { access } }) {
    const service = new ApiDefinitionService(database, access, projectId => connectionStore.summaries(projectId));
    const reader = new OpenApiReader(telemetry.metrics.slotGauge('openapi'));
    telemetry.metrics.add({
      name: 'scenarium_open_api_documents_total',
      help: 'OpenAPI documents that were read for an import, by outcome.',
      labels: ['outcome'],
      isCounter: true,
      read: () => reader.documents.samples(),
    });
    const importer = new ApiDefinitionImporter({ access, outbound, reader, definitions: service });
    return { services: {}, resolvers: [new ApiDefinitionResolver(service, importer)] };
  },
});
