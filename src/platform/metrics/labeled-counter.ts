import type { Sample } from './polled-metric.js';

type Branch = Map<string, Branch | Count>;

interface Count {
  value: number;
}

/**
 * Sums by labels with few values, read on demand. The values form a tree with one level per label. A counter of the
 * Prometheus client builds and looks up the text of all labels at each increment.
 */
export class LabeledCounter {
  readonly #sums: Branch = new Map();

  constructor(private readonly labelNames: readonly string[]) {}

  /** `values` has one value for each label, in order. */
  count(values: readonly string[], amount = 1): void {
    let branch = this.#sums;
    const last = values.length - 1;
    for (let at = 0; at < last; at++) {
      const value = values[at] as string;
      let next = branch.get(value) as Branch | undefined;
      if (!next) {
        next = new Map();
        branch.set(value, next);
      }
      branch = next;
    }
    const value = values[last] ?? '';
    const count = branch.get(value) as Count | undefined;
    if (count) count.value += amount;
    else branch.set(value, { value: amount });
  }

  samples(): Sample[] {
    return [...this.#below(this.#sums, [])];
  }

  *#below(branch: Branch, values: readonly string[]): Generator<Sample> {
    for (const [value, child] of branch) {
      const path = [...values, value];
      if (child instanceof Map) yield* this.#below(child, path);
      else
        yield {
          labels: Object.fromEntries(this.labelNames.map((name, at) => [name, path[at] ?? ''])),
          value: child.value,
        };
    }
  }
}
