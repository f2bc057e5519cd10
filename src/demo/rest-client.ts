/** A REST client with JSON bodies or forms and the header `X-Api-Key`. */
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

  put<T>(path: string, body: unknown): Promise<T> {
    return this.#call('PUT', path, body);
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.#call('PATCH', path, body);
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const isJson = body !== undefined && !(body instanceof FormData);
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { 'X-Api-Key': this.key, ...(isJson && { 'Content-Type': 'application/json' }) },
      body: isJson ? JSON.stringify(body) : body,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} failed with status ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }
}
