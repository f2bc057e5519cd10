import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';

/** The part in use here: types of WebAssembly come with those of browsers, which have no place in a service. */
declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number }) => { readonly buffer: ArrayBufferLike };
  compile(bytes: Uint8Array): Promise<object>;
};

const PAGES_PER_MIB = 16;
/** What the build of the interpreter asks for at least: its own data, its stack, and room for small scripts. */
const INITIAL_PAGES = 256;
/** Of those the interpreter needs for itself. */
const OWN_PAGES = 4 * PAGES_PER_MIB;

/**
 * Instances of the interpreter whose memory can grow so far and no further. This build of QuickJS cannot tell how large
 * its allocations are, so that its own limit holds for a single one of them alone; the end of the WebAssembly memory is
 * the limit that holds for all together.
 */
export class Interpreters {
  readonly #compiled = readFile(fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))).then(
    bytes => WebAssembly.compile(bytes),
  );
  #kept: { module: QuickJSWASMModule; memoryMb: number } | undefined;

  /** The last one again when it did not grow: memory that has grown never shrinks. */
  async take(memoryMb: number): Promise<QuickJSWASMModule> {
    const kept = this.#kept;
    if (kept?.memoryMb === memoryMb && !hasGrown(kept.module)) return kept.module;
    const module = await this.#newModule(memoryMb);
    this.#kept = { module, memoryMb };
    return module;
  }

  async #newModule(memoryMb: number): Promise<QuickJSWASMModule> {
    // Room to grow there is always: having grown tells an interpreter that ran out of memory.
    const maximum = Math.max(OWN_PAGES + Math.ceil(memoryMb * PAGES_PER_MIB), INITIAL_PAGES + PAGES_PER_MIB);
    // The package's types describe its CommonJS form; imported as a module its default export is the variant itself.
    const limited = newVariant(variant as unknown as QuickJSSyncVariant, {
      wasmModule: await this.#compiled,
      wasmMemory: new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum }),
    });
    return newQuickJSWASMModuleFromVariant(limited);
  }
}

export function hasGrown(module: QuickJSWASMModule): boolean {
  return module.getWasmMemory().buffer.byteLength > INITIAL_PAGES * 65_536;
}
