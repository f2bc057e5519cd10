/** What the service hands to a sandbox thread, and what comes back. Texts alone: nothing else is shared. */
export interface Task {
  code: string;
  /** JSON. */
  input: string;
  nodes: ReadonlyMap<string, string>;
  memoryMb: number;
  timeoutMs: number;
}

export type TaskErrorCode = 'code_error' | 'code_timeout' | 'code_memory' | 'code_result';

export type Reply = ({ content: string } | { code: TaskErrorCode; message: string }) & {
  /** The thread is not to be used again. */
  isWorn: boolean;
};
