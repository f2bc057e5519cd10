import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * An answer that is told its headers as it goes: those that `bear` gives it leave in one piece with the ones of
 * `writeHead`. Node's `setHeader` keeps each on its own and puts them together again at the end, which costs as much as all
 * the rest of a small answer's head. Where both are used `setHeader` and `writeHead` win.
 */
export class Answer<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  /** Names in lower case, each followed by its value. */
  #borne: string[] = [];

  bear(name: string, value: string): void {
    this.#borne.push(name, value);
  }

  /** Hands over to `setHeader`: for Express, whose answers are of another class. */
  settle(): void {
    const borne = this.#borne;
    this.#borne = [];
    for (let at = 0; at < borne.length; at += 2) {
      const name = borne[at] as string;
      if (!this.hasHeader(name)) this.setHeader(name, borne[at + 1] as string);
    }
  }

  override getHeader(name: string): number | string | string[] | undefined {
    const at = this.#borne.indexOf(name.toLowerCase());
    return super.getHeader(name) ?? (at < 0 ? undefined : this.#borne[at + 1]);
  }

  override writeHead(status: number, ...more: [Head?] | [string?, Head?]): this {
    const [head] = more;
    const isFlat = more.length === 0 || (more.length === 1 && Array.isArray(head));
    if (isFlat && this.getHeaderNames().length === 0)
      return super.writeHead(status, this.#with((head ?? []) as string[]));
    this.settle();
    return super.writeHead(status, ...(more as [Head?]));
  }

  #with(given: string[]): string[] {
    const all = [...given];
    const borne = this.#borne;
    for (let at = 0; at < borne.length; at += 2) {
      const name = borne[at] as string;
      if (!given.includes(name)) all.push(name, borne[at + 1] as string);
    }
    return all;
  }
}

/** Sets a header, its name in lower case, in the way that this answer takes it. */
export function bear(response: ServerResponse, name: string, value: string): void {
  if (response instanceof Answer) response.bear(name, value);
  else response.setHeader(name, value);
}
