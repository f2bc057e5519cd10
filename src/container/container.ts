import type { GraphQLSchema } from 'graphql';
import { TaskScheduler } from '../durable/scheduled-tasks.js';
import type { Job } from '../durable/worker.js';
import { buildScenariumSchema } from '../graphql/schema.js';
import type { ModuleDefinition, ModuleNeeds, ModuleParts, ServicesOf } from '../modules/module.js';
import { type AnyModule, ORDERED_MODULES } from '../modules/registry.js';
import type { PolledMetric } from '../platform/metrics/polled-metric.js';
import type { ProcessInfrastructure } from './infrastructure.js';
import { CountedStreams, serviceMetrics } from './metrics.js';

export interface Container {
  /** Returns the services of a module. */
  get<Services, Needs extends ModuleNeeds>(module: ModuleDefinition<Services, Needs>): Services;
  /** Builds the executable GraphQL schema. */
  buildSchema(): GraphQLSchema;
  metrics: readonly PolledMetric[];
  /** The background jobs of a worker process. */
  jobs: readonly Job[];
}

/** Creates all modules on the infrastructure, in dependency order. */
export function createContainer(infrastructure: ProcessInfrastructure): Container {
  const { telemetry, database, queue } = infrastructure;
  const created = new Map<AnyModule, ModuleParts<unknown>>();
  const get = <Module extends AnyModule>(module: Module) => created.get(module)?.services as ServicesOf<Module>;
  for (const module of ORDERED_MODULES) {
    const needed = Object.fromEntries(Object.entries(module.needs).map(([name, need]) => [name, get(need)]));
    created.set(module, module.create(infrastructure, needed));
  }
  const parts = [...created.values()];
  const resolvers = new Map(
    parts.flatMap(({ resolvers = [] }) => resolvers).map(resolver => [resolver.constructor, resolver]),
  );
  const streams = Object.assign({}, ...parts.map(part => part.streams)) as NonNullable<ModuleParts<unknown>['streams']>;
  const countedStreams = new CountedStreams(Object.keys(streams));
  const jobs = parts.flatMap(part => part.jobs ?? []);
  return {
    get,
    buildSchema: () =>
      buildScenariumSchema(
        resolver => resolvers.get(resolver)!,
        async (topic, { args, context }) => countedStreams.counted(topic, await streams[topic]!(context.viewer, args)),
      ),
    metrics: [
      ...serviceMetrics({ database, queue, log: telemetry.log, jobs, streams: countedStreams }),
      ...parts.flatMap(part => part.metrics ?? []),
    ],
    jobs: [
      ...jobs,
      new TaskScheduler(
        queue,
        telemetry.log,
        parts.flatMap(part => part.scheduledTasks ?? []),
      ),
    ],
  };
}
