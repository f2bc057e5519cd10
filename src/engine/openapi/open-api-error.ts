/** An OpenAPI document cannot be imported. The message is shown to users. */
export class OpenApiError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OpenApiError';
  }
}
