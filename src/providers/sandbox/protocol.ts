/** A script for a sandbox thread. Only texts and bytes are exchanged with threads. */
export interface Task {
  code: string;
  /** Absent: JavaScript. */
  language?: 'typescript';
  /** The input of the script as JSON. */
  input: string;
  /** The contents of executed nodes, by node id. */
  nodes: ReadonlyMap<string, string>;
  /** Files that the script reads: their references as JSON, and their contents. */
  files: { references: string; contents: readonly Uint8Array[] };
  memoryMb: number;
  timeoutMs: number;
}

export type TaskErrorCode = 'code_error' | 'code_timeout' | 'code_memory' | 'code_result';

export type Reply = ({ content: string } | { code: TaskErrorCode; message: string }) & {
  /** Files that the script saved. Absent: none. */
  files?: readonly { name: string; bytes: Uint8Array }[];
  /** Lines that the script wrote to the console. Absent: none. */
  log?: readonly string[];
  /** Whether the thread must not be used again. */
  mustEnd: boolean;
};
