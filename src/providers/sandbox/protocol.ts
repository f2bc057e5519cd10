/** A script for a sandbox thread. Only texts are exchanged with threads. */
export interface Task {
  code: string;
  /** The input of the script as JSON. */
  input: string;
  /** The contents of executed nodes, by node id. */
  nodes: ReadonlyMap<string, string>;
  memoryMb: number;
  timeoutMs: number;
}

export type TaskErrorCode = 'code_error' | 'code_timeout' | 'code_memory' | 'code_result';

export type Reply = ({ content: string } | { code: TaskErrorCode; message: string }) & {
  /** Whether the thread must not be used again. */
  mustEnd: boolean;
};
