/** A file that a script saved. */
export interface SavedFile {
  name: string;
  bytes: Uint8Array;
}

/** Limits of the files that one script saves. */
const MAX_SAVED = 10;
const MAX_SAVED_BYTES = 16 * 1024 * 1024;

/**
 * The files of one script: `contents` are those of its input, by index; `save` appends to `saved`. Names and texts are
 * exchanged as JSON, because the interface of the interpreter truncates strings at NUL characters.
 */
export class ScriptFiles {
  #savedBytes = 0;

  constructor(
    private readonly contents: readonly Uint8Array[],
    private readonly saved: SavedFile[],
  ) {}

  read(index: number): Uint8Array {
    return this.contents[index] ?? new Uint8Array();
  }

  /** Returns the text as JSON; undefined: the file is not UTF-8 text. */
  readText(index: number): string | undefined {
    try {
      return JSON.stringify(new TextDecoder('utf-8', { fatal: true }).decode(this.read(index)));
    } catch {
      return undefined;
    }
  }

  /**
   * Saves bytes, or a text as JSON. Returns a file reference as JSON with a temporary id: `saved-1`, `saved-2` and so
   * on. After the script, the code node stores the files and replaces the references in the result.
   *
   * @throws RangeError above the limits
   */
  save(name: string, content: string | Uint8Array): string {
    const bytes = typeof content === 'string' ? Buffer.from(JSON.parse(content) as string) : content;
    this.#savedBytes += bytes.length;
    if (this.saved.length >= MAX_SAVED) throw new RangeError(`a script saves at most ${MAX_SAVED} files`);
    if (this.#savedBytes > MAX_SAVED_BYTES) throw new RangeError(`a script saves at most ${MAX_SAVED_BYTES} bytes`);
    const file = { name: JSON.parse(name) as string, bytes };
    this.saved.push(file);
    return JSON.stringify({ file_id: `saved-${this.saved.length}`, name: file.name, size: bytes.length });
  }
}
