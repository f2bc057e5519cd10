import type { QueueOptions } from '../durable/queue.js';
import { MODULES } from './all.js';
import type { Entity, ModuleDefinition, ModuleNeeds, ResolverClass } from './module.js';

/** A definition whose services are not known here. */
// biome-ignore lint/suspicious/noExplicitAny: the list holds modules with services of every type.
export type AnyModule = ModuleDefinition<any, ModuleNeeds>;

/** The modules in dependency order: each one after those that it needs. */
function inDependencyOrder(modules: readonly AnyModule[]): AnyModule[] {
  const ordered = new Set<AnyModule>();
  const visit = (module: AnyModule): void => {
    for (const needed of Object.values(module.needs)) visit(needed);
    ordered.add(module);
  };
  for (const module of modules) visit(module);
  return [...ordered];
}

/** Every module of the product, in dependency order. */
export const ORDERED_MODULES: readonly AnyModule[] = inDependencyOrder(MODULES);

/** Every table that a module owns. */
export const ENTITIES: readonly Entity[] = ORDERED_MODULES.flatMap(module => module.entities ?? []);

/** Every resolver of the product. */
export const RESOLVERS: readonly ResolverClass[] = ORDERED_MODULES.flatMap(module => module.resolvers ?? []);

/** Every pg-boss queue by name. */
export const QUEUES: Readonly<Record<string, QueueOptions>> = Object.assign(
  {},
  ...ORDERED_MODULES.map(({ queues }) => queues),
);
