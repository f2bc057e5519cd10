import { Member, type MemberOptions } from './member.js';
import type { Random } from './random.js';

/** Processes of one role that are replaced when they die, as an orchestrator replaces them. */
export class Fleet {
  readonly #members: Member[] = [];
  readonly #replacing = new Set<Promise<void>>();
  readonly #killed = new Set<Member>();
  #closed = false;
  /** Number of processes that ended, expected or not. */
  deaths = 0;
  /** Descriptions of unexpected exits. */
  readonly faults: string[] = [];

  constructor(
    private readonly options: MemberOptions,
    private readonly size: number,
    /** Whether a process may exit, as one does that starts while its database is unavailable. */
    private readonly mayEnd: (member: Member) => boolean = () => false,
  ) {}

  /**
   * Resolves when all are ready. Throws when one exits before, because the first processes start while nothing is
   * broken.
   */
  async start(): Promise<void> {
    await Promise.all(
      Array.from({ length: this.size }, async () => {
        const member = this.#spawn();
        if (await member.ready()) return;
        throw await startError(member);
      }),
    );
  }

  /** Processes that are ready now. */
  get readyMembers(): Member[] {
    return this.#members.filter(member => member.isReady && member.isAlive);
  }

  get urls(): string[] {
    return this.readyMembers.map(member => member.url);
  }

  /** Number of replacements that are not ready yet. */
  get missing(): number {
    return this.#replacing.size;
  }

  /** Kills a random ready process, which is then replaced. `before` runs just before the kill. Returns false when none is ready. */
  async kill(random: Random, before: () => Promise<void> = async () => {}): Promise<boolean> {
    if (this.readyMembers.length === 0) return false;
    const victim = random.pick(this.readyMembers);
    this.#killed.add(victim);
    await before();
    await victim.end('SIGKILL');
    return true;
  }

  /** Resolves when all replacements are ready. */
  async waitForReplacements(): Promise<void> {
    while (this.#replacing.size > 0) await Promise.all(this.#replacing);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.waitForReplacements();
    await Promise.all(
      this.#members.map(async member => {
        const killTimer = setTimeout(() => member.signal('SIGKILL'), 45_000);
        await member.end();
        clearTimeout(killTimer);
      }),
    );
  }

  async #add(): Promise<void> {
    while (!this.#closed) {
      if (await this.#spawn().ready()) return;
      // It has logged why it exited, and a replacement starts. The procedure decides whether an exit is allowed.
      await new Promise(resolve => setTimeout(resolve, 200));
    }
  }

  #spawn(): Member {
    const member = new Member(this.options);
    this.#members.push(member);
    void member.exited.then(({ code, signal }) => this.#onExit(member, code, signal));
    return member;
  }

  #onExit(member: Member, code: number | null, signal: NodeJS.Signals | null): void {
    this.#members.splice(this.#members.indexOf(member), 1);
    if (this.#closed) return;
    this.deaths++;
    if (!this.#killed.delete(member) && !this.mayEnd(member))
      this.faults.push(`a process ended unexpectedly (${signal ?? code}): ${member.output.slice(-600)}`);
    // A process that exits before it is ready is replaced by the caller of `#spawn`.
    if (!member.isReady) return;
    const replaced = this.#add().finally(() => this.#replacing.delete(replaced));
    this.#replacing.add(replaced);
  }
}

async function startError(member: Member): Promise<Error> {
  const { code, signal } = await member.exited;
  await member.closed;
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  return new Error(`A process of the fleet ended ${how} before it was ready; its last log line: ${member.lastLine}`);
}
