import { accounts } from '../accounts/index.js';
import { billing } from '../billing/index.js';
import { categories } from '../categories/index.js';
import { defineModule } from '../module.js';
import { projectVariables } from '../project-variables/index.js';
import { projects } from '../projects/index.js';
import { workflowRuns } from '../workflow-runs/index.js';
import { workflows } from '../workflows/index.js';
import { MarketCopyService } from './market-copy.service.js';
import { MarketExamplesService } from './market-examples.service.js';
import { MarketplaceResolver } from './marketplace.resolver.js';
import { MarketplaceService } from './marketplace.service.js';
import { MarketplaceUseEntity } from './marketplace-use.entity.js';
import { PublicationResolver } from './publication.resolver.js';
import { PublicationService } from './publication.service.js';
import { WorkflowTermsResolver } from './terms/workflow-terms.resolver.js';
import { WorkflowTermsService } from './terms/workflow-terms.service.js';
import { WorkflowGapsResolver } from './workflow-gaps.resolver.js';

/** The marketplace: publication of workflows, their public list and examples, and copies with their terms. */
export const marketplace = defineModule({
  name: 'marketplace',
  needs: { accounts, billing, categories, projects, projectVariables, workflowRuns, workflows },
  entities: [MarketplaceUseEntity],
  resolvers: [PublicationResolver, MarketplaceResolver, WorkflowGapsResolver, WorkflowTermsResolver],
  create(
    { database, currencies, pageBytes },
    {
      projects: { access },
      projectVariables: { variableReader },
      workflows: { workflows, guides, revisions, toolPinner },
    },
  ) {
    return {
      services: {},
      resolvers: [
        new PublicationResolver(new PublicationService(database, workflows)),
        new MarketplaceResolver(
          new MarketplaceService(database, currencies),
          new MarketExamplesService(database, revisions, currencies, pageBytes),
          new MarketCopyService(database, access, revisions, workflows, toolPinner),
          database,
          guides,
        ),
        new WorkflowGapsResolver(database, revisions, variableReader),
        new WorkflowTermsResolver(new WorkflowTermsService(database, workflows)),
      ],
    };
  },
});
