import { createClient, type Client as SocketClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually.js';
import { createWorkflow, pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';

/** Operations that every client sends. */
export const PROJECT = 'query Project($id: Int!) { project(id: $id) { __typename id name } }';
export const RENAME =
  'mutation Rename($id: Int!, $name: String!) { projectUpdate(id: $id, input: { name: $name }) { __typename } }';
export const UPLOAD =
  'mutation Upload($project: Int!, $files: [Upload!]!) { documentUpload(projectId: $project, files: $files) { __typename } }';
export const CHANGES = `subscription Changes($id: UUID!, $after: Int) {
  workflowRunChanged(id: $id, afterSequence: $after) { sequence kind }
}`;

export interface Change {
  workflowRunChanged: { sequence: number; kind: string };
}

/** A service with a project and a workflow whose runs call nothing. */
export class ClientFixture {
  readonly #sockets: SocketClient[] = [];

  private constructor(
    readonly service: TestService,
    readonly project: number,
    readonly workflow: number,
  ) {}

  static async open(): Promise<ClientFixture> {
    const service = await startTestService();
    const workflow = await createWorkflow(service, pureGraph());
    const [row] = await service.sql<{ id: number }>('select project_id as id from workflow');
    return new ClientFixture(service, row!.id, workflow);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) await socket.dispose();
    await this.service.stop();
  }

  get url(): string {
    return `${this.service.url}/graphql`;
  }

  get headers(): Record<string, string> {
    return { 'X-Api-Key': this.service.key };
  }

  /** A client of graphql-ws, as the documentation of each client builds it. */
  socketClient(): SocketClient {
    const socket = createClient({
      url: this.url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: this.headers,
    });
    this.#sockets.push(socket);
    return socket;
  }

  /** The id of a run that has ended. */
  async finishedRun(topic = 'cats'): Promise<string> {
    const { body } = await this.service.rest('POST', `/api/v1/workflows/${this.workflow}/run/`, { body: { topic } });
    const { id } = body.data;
    const path = `/api/v1/workflows/workflow_result/?id=${id}`;
    await eventually(
      async () => (await this.service.rest('GET', path)).body.data.status,
      status => status === 'succeed',
    );
    return id;
  }

  async projectName(): Promise<string> {
    return (await this.service.rest('GET', `/api/v1/projects/${this.project}/`)).body.name;
  }

  /** The names of all documents, sorted. */
  async documentNames(): Promise<string[]> {
    const rows = await this.service.sql<{ filename: string }>('select filename from document order by filename');
    return rows.map(({ filename }) => filename);
  }
}

/** The sequence of each change. */
export function sequencesOf(changes: readonly Change[]): number[] {
  return changes.map(({ workflowRunChanged }) => workflowRunChanged.sequence);
}

/** Whether the numbers are 1, 2, 3 … without gaps. A run of the fixture has more than three changes. */
export const isCountedFromOne = (numbers: readonly number[]) =>
  numbers.length > 3 && numbers.every((n, at) => n === at + 1);
