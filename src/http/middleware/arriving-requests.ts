import { toClientNetwork } from '../../platform/requests/client-network.js';

/** Counts requests whose bodies have not arrived completely. Their duration depends on the client. */
export class ArrivingRequests {
  readonly #byNetwork = new Map<string, number>();
  #count = 0;

  constructor(private readonly max: number) {}

  /**
   * Adds a request of a client address, unless its network has as many as are free. One network can therefore use half, and
   * some are always free for other networks. After true, `leave` must be called.
   */
  tryEnter(address: string | undefined): boolean {
    const network = toClientNetwork(address);
    const used = this.#byNetwork.get(network) ?? 0;
    if (used >= this.max - this.#count) return false;
    this.#byNetwork.set(network, used + 1);
    this.#count++;
    return true;
  }

  leave(address: string | undefined): void {
    const network = toClientNetwork(address);
    const used = this.#byNetwork.get(network) ?? 0;
    if (used > 1) this.#byNetwork.set(network, used - 1);
    else this.#byNetwork.delete(network);
    this.#count--;
  }
}
