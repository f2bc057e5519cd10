/** The reason of an aborted signal of a request whose client has disconnected. */
export class ClientDisconnectedError extends DOMException {
  constructor() {
    super('The client disconnected.', 'AbortError');
  }
}
