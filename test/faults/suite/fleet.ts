import { Member, type MemberOptions } from './member.js';
import type { Random } from './random.js';

/** Processes of one role that are replaced when they die, as an orchestrator replaces them. */
export class Fleet {
  readonly #members: Member[] = [];
  readonly #replacing = new Set<Promise<void>>();
  readonly #killed = new Set<Member>();
  #closed = false;
  /** Of members, whoever asked for them. */
  deaths = 0;
  /** Deaths that nobody asked for. */
  readonly faults: string[] = [];

  constructor(
    private readonly options: MemberOptions,
    private readonly size: number,
    /** Whether a process may end by itself, as one does that starts while its database is away. */
    private readonly mayEnd: (member: Member) => boolean = () => false,
  ) {}

  /** Resolves when all are ready; throws when one ends before: the first of a fleet start while nothing is broken. */
  async start(): Promise<void> {
    await Promise.all(
      Array.from({ length: this.size }, async () => {
        const member = this.#spawn();
        if (await member.ready()) return;
        throw await startError(member);
      }),
    );
  }

  /** Those that are ready now. */
  get alive(): Member[] {
    return this.#members.filter(member => member.isReady && member.isAlive);
  }

  get urls(): string[] {
    return this.alive.map(member => member.url);
  }

  /** Replacements that are not ready yet. */
  get missing(): number {
    return this.#replacing.size;
  }

  /** Kills one of those that are ready and starts another in its place; false: none was there to kill. */
  async kill(random: Random, before: () => Promise<void> = async () => {}): Promise<boolean> {
    if (this.alive.length === 0) return false;
    const victim = random.pick(this.alive);
    this.#killed.add(victim);
    await before();
    await victim.end('SIGKILL');
    return true;
  }

  async whole(): Promise<void> {
    while (this.#replacing.size > 0) await Promise.all(this.#replacing);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.whole();
    await Promise.all(
      this.#members.map(async member => {
        const patience = setTimeout(() => member.signal('SIGKILL'), 45_000);
        await member.end();
        clearTimeout(patience);
      }),
    );
  }

  async #add(): Promise<void> {
    while (!this.#closed) {
      if (await this.#spawn().ready()) return;
      // It says why it gave up, and the next one is started; that it may is for the procedure to say.
      await new Promise(resolve => setTimeout(resolve, 200));
    }
  }

  #spawn(): Member {
    const member = new Member(this.options);
    this.#members.push(member);
    void member.exited.then(({ code, signal }) => this.#gone(member, code, signal));
    return member;
  }

  #gone(member: Member, code: number | null, signal: NodeJS.Signals | null): void {
    this.#members.splice(this.#members.indexOf(member), 1);
    if (this.#closed) return;
    this.deaths++;
    if (!this.#killed.delete(member) && !this.mayEnd(member))
      this.faults.push(`a process ended by itself (${signal ?? code}): ${member.output.slice(-600)}`);
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
