import type { KeyValueStore } from '../../engine/key-value/port.js';
import { PortError } from '../../engine/ports.js';
import { derivedUuid } from '../../platform/crypto/uuid.js';
import type { LabeledCounter } from '../../platform/metrics/labeled-counter.js';
import { changeFault, KeyValueError } from './change-effect.js';
import type { KeyValueEntry } from './key-value-entry.type.js';
import type { ProjectKeyValues } from './project-key-values.js';

/** A run whose nodes use the store of its project. */
export interface KeyValueRun {
  projectId: number;
  id: string;
  /** Replaces the secrets of the run in a value by the mask. */
  mask<T>(value: T): T;
}

/** The key-value stores of runs. */
export class RunKeyValues {
  constructor(
    private readonly store: ProjectKeyValues,
    private readonly operations: LabeledCounter,
  ) {}

  /** Implements the port of the engine for one run. */
  of({ projectId, id, mask }: KeyValueRun): KeyValueStore {
    return {
      find: async key => {
        this.operations.count(['get']);
        const entry = await this.store.find(projectId, key);
        return entry ? toKeyValue(entry) : null;
      },
      list: async query => {
        this.operations.count(['list']);
        return (await this.store.list(projectId, query)).map(toKeyValue);
      },
      change: async (change, changeKey) => {
        // A stored secret would be readable for all members of the project.
        const masked = change.operation === 'set' ? { ...change, value: mask(change.value) } : change;
        const fault = changeFault(masked);
        if (fault) throw new PortError('key_value_refused', fault.message, { isFinal: true });
        if (mask(change.key) !== change.key)
          throw new PortError('key_value_refused', 'a key must not contain a secret', { isFinal: true });
        this.operations.count([change.operation]);
        const changeId = derivedUuid(JSON.stringify(['key-value-change', id, changeKey]));
        return this.store.change({ projectId, change: masked, changeId }).catch(toPortError);
      },
    };
  }
}

function toKeyValue({ key, value, version }: KeyValueEntry) {
  return { key, value, version };
}

function toPortError(error: unknown): never {
  throw error instanceof KeyValueError ? new PortError(error.code, error.message, { isFinal: true }) : error;
}
