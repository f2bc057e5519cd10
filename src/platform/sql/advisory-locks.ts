/**
 * The keys of all PostgreSQL advisory locks of the service. They are defined only here, because two uses of one number
 * would block each other. Locks of one row or scope use its id as second key.
 */
export const ADVISORY_LOCKS = {
  /** Session lock of the service that owns an embedded database. */
  embeddedInstance: 7_266_300,
  /** Session lock that all processes on an embedded database share. The process that stops it takes it exclusively. */
  embeddedUse: 7_266_306,
  /** Session lock of the migrating process. */
  migration: 7_266_301,
  /** Creation of the first administrator. */
  firstAdministrator: 7_266_302,
  /** Changes after which at least one administrator must remain. */
  administrators: 7_266_307,
  /** Creation of monthly partitions, by database functions from migrations. */
  partitions: 7_266_303,
  /** Positions within a project; second key: project id. */
  workflowPositions: 7_266_304,
  variablePositions: 7_266_310,
  promptPositions: 7_266_311,
  messagePositions: 7_266_312,
  scenarioPositions: 7_266_313,
  /** Positions of prompts without a project; second key: the owner's user id. */
  ownPromptPositions: 7_266_314,
  /** Members of a project; second key: project id. */
  members: 7_266_315,
  /** The number of pending invitations that a user has created; second key: user id. */
  pendingInvitations: 7_266_324,
  /** Which run of a workflow is marked as its API run, at most one; second key: workflow id. */
  apiRun: 7_266_305,
  /** Which run of a workflow is its marketplace template, at most one; second key: workflow id. */
  marketplaceTemplate: 7_266_321,
  /**
   * The job that sends the webhooks of a project; second key: project id. Shared by transactions that write deliveries.
   */
  webhookJob: 7_266_323,
  /** Session lock of a worker that accepts runs of other processes; second key: `SlotOffers.workerId`. */
  worker: 7_266_325,
  /** Shared by insertions of runs for a worker; second key: `SlotOffers.workerId`. A worker that stops waits for them with it. */
  assignment: 7_266_326,
  /** Slugs of marketplace entries. */
  slug: 7_266_322,
} as const;
