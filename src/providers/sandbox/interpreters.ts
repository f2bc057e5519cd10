import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';

/** The used part of the API. TypeScript declares WebAssembly only in the DOM library, which this project does not include. */
declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number }) => { readonly buffer: ArrayBufferLike };
  compile(bytes: Uint8Array): Promise<object>;
};

/** The size of a page of WebAssembly memory. */
const PAGE_BYTES = 65_536;
const PAGES_PER_MIB = 16;
/** Minimum memory of the interpreter build: its data, its stack, and memory for small scripts. */
const INITIAL_PAGES = 256;
/** Memory that the interpreter itself uses. */
const OWN_PAGES = 4 * PAGES_PER_MIB;

/**
 * Creates interpreters with limited memory. This build of QuickJS cannot measure its allocations, so its own limit applies only to a
 * single allocation. The maximum of the WebAssembly memory limits all allocations together.
 */
export class Interpreters {
  readonly #compiled = readFile(fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))).then(
    bytes => WebAssembly.compile(bytes),
  );
  #cached: { module: QuickJSWASMModule; memoryMb: number } | undefined;

  /** Returns the previous interpreter if its memory has not grown, because WebAssembly memory never shrinks; otherwise a new one. */
  async acquire(memoryMb: number): Promise<QuickJSWASMModule> {
    const cached = this.#cached;
    if (cached?.memoryMb === memoryMb && !hasGrown(cached.module)) return cached.module;
    const module = await this.#newModule(memoryMb);
    this.#cached = { module, memoryMb };
    return module;
  }

  async #newModule(memoryMb: number): Promise<QuickJSWASMModule> {
    // The maximum is always above the initial size: growth is how exhausted memory is detected.
    const maximum = Math.max(OWN_PAGES + Math.ceil(memoryMb * PAGES_PER_MIB), INITIAL_PAGES + PAGES_PER_MIB);
    // The types of the package describe its CommonJS form; as an ES module its default export is the variant itself.
    const limited = newVariant(variant as unknown as QuickJSSyncVariant, {
      wasmModule: await this.#compiled,
      wasmMemory: new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum }),
    });
    return newQuickJSWASMModuleFromVariant(limited);
  }
}

/** Whether an interpreter has used more than its initial memory. */
export function hasGrown(module: QuickJSWASMModule): boolean {
  return module.getWasmMemory().buffer.byteLength > INITIAL_PAGES * PAGE_BYTES;
}
