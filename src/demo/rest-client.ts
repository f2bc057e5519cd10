/** A REST client with JSON bodies and the header `X-Api-Key`. */
export class RestClient {
  constructor(
    readonly url: string,
    readonly key: string,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.#call('GET', path);
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.#call('POST', path, body);
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.#call('PATCH', path, body);
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { 'X-Api-Key': this.key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} failed with status ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }
}
