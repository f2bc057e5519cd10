import type { Viewer } from '../modules/accounts/viewer.js';
import { ProjectAccess } from '../modules/projects/access.js';
import { ProjectOrder } from '../modules/projects/project.inputs.js';
import type { Project } from '../modules/projects/project.js';
import { ProjectService } from '../modules/projects/project.service.js';
import { isAllowed } from '../modules/projects/rights.js';
import { ServedModels } from '../modules/provider-keys/served-models.js';
import { RevisionStore } from '../modules/workflows/revision-store.js';
import { WorkflowOrder } from '../modules/workflows/workflow.inputs.js';
import { WorkflowService } from '../modules/workflows/workflow.service.js';
import { generatedSecret, openDataDir } from '../platform/config/data-dir.js';
import { Vault } from '../platform/crypto/crypto.js';
import type { Database } from '../platform/database/database.js';
import { Currencies } from '../platform/money/money.js';
import type { CliContext, Options } from './arguments.js';
import { withDatabase } from './open-database.js';
import { SEED_PROJECT, SEED_WORKFLOW, seedGraph } from './seed-graph.js';
import { userIdOf } from './user-options.js';

const FIRST_PAGE = { page: 1, size: 100 };

/** The only model of the seed graph is built in, so no provider is asked. */
const everyModel = { serves: () => true, refusedParameters: () => [], models: async () => [] };
const EVERY_MODEL = new ServedModels(everyModel, () => everyModel);

/** Creates the sample project and workflow, unless the user already has them. */
export async function seed({ email }: Options, { env, print }: CliContext): Promise<void> {
  await withDatabase(env, async (database, config) => {
    const viewer = await viewerOf(database, String(email));
    const access = new ProjectAccess(database);
    const projects = new ProjectService(database, access, new Currencies(config.srPerUsd));
    const project =
      (await findSeedProject(viewer, projects, access)) ?? (await projects.create(viewer, { name: SEED_PROJECT }));

    const secret = config.encryptionKey ?? (await generatedSecret(await openDataDir(config.dataDir), 'encryption-key'));
    const revisions = new RevisionStore(database, new Vault(secret));
    const workflows = new WorkflowService(
      database,
      access,
      revisions,
      EVERY_MODEL,
      { pinInBackground: () => {} },
      NO_VARIABLES,
      NO_CONNECTIONS,
    );
    const filter = { project: project.id, titleContains: SEED_WORKFLOW };
    const { items: ownWorkflows } = await workflows.list(viewer, filter, { order: WorkflowOrder.POSITION }, FIRST_PAGE);
    const workflow =
      ownWorkflows.find(({ title }) => title === SEED_WORKFLOW) ??
      (await workflows.create(viewer, { projectId: project.id, title: SEED_WORKFLOW, data: { ...seedGraph() } }));

    print(`Project ${project.id} "${SEED_PROJECT}" contains workflow ${workflow.id} "${SEED_WORKFLOW}".`);
    print(`Run it: POST /api/v1/workflows/${workflow.id}/run/ {"message": "Where is my parcel?", "urgency": 2}`);
  });
}

/** Returns the newest sample project in which the user may create workflows. */
async function findSeedProject(
  viewer: Viewer,
  projects: ProjectService,
  access: ProjectAccess,
): Promise<Project | undefined> {
  const filter = { nameContains: SEED_PROJECT };
  const { items } = await projects.list(viewer, filter, ProjectOrder.CREATED_AT_DESC, FIRST_PAGE);
  const named = items.filter(({ name }) => name === SEED_PROJECT);
  const roles = await access.rolesIn(
    viewer,
    named.map(({ id }) => id),
  );
  return named.find((_project, index) => {
    const role = roles[index];
    return role && isAllowed(role, 'workflow.create');
  });
}

/** The graph of the seed uses no project variables. */
const NO_VARIABLES = { names: async () => new Set<string>() };
/** The graph of the seed uses no connections. */
const NO_CONNECTIONS = { summaries: async () => new Map() };

/** Returns the user without administrator rights, so that an administrator also gets a project of their own. */
async function viewerOf(database: Database, email: string): Promise<Viewer> {
  return { userId: await userIdOf(database, email), isAdmin: false, via: 'operator' };
}
