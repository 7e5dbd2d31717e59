/**
 * Where the compiled module comes from.
 *
 * All entries of the package share this state; they differ in what they offer here: a way to get the module
 * at once (a file, a constant), or a place to fetch it from. Nothing is compiled before it is needed.
 */

import { KcodecError } from "./errors.js";
import type { CompiledModule, ModuleBytes, ModuleSource } from "./types.js";

let loaded: CompiledModule | null = null;
let loading: Promise<void> | null = null;
let atOnce: (() => CompiledModule) | null = null;
let place: (() => ModuleSource) | null = null;

/** Offers a way to get the module without waiting. */
export function offerModule(get: () => CompiledModule): void {
  atOnce = get;
}

/** Offers a place to fetch the module from. */
export function offerPlace(get: () => ModuleSource): void {
  place = get;
}

/** The module, if it can be had without waiting. */
export function compiled(): CompiledModule {
  loaded ??= atOnce?.() ?? null;
  if (loaded === null) throw new KcodecError("NOT_LOADED");
  return loaded;
}

/**
 * Loads the module: in browsers and with `kcodec/slim` this must have been awaited before the first call,
 * elsewhere it only moves the cost of the first call. Without a source, the package's own file.
 */
export function init(source?: ModuleSource): Promise<void> {
  if (source === undefined && loaded !== null) return Promise.resolve();
  if (source === undefined && loading !== null) return loading;
  const attempt = load(source).finally(() => {
    if (loading === attempt) loading = null;
  });
  loading = attempt;
  return attempt;
}

async function load(source: ModuleSource | undefined): Promise<void> {
  if (source === undefined && atOnce !== null) {
    compiled();
    return;
  }
  const from = source ?? place?.();
  if (from === undefined) throw new KcodecError("NOT_LOADED", { text: "init needs a source here" });
  try {
    loaded = await compile(await from);
  } catch (cause) {
    throw failed(cause);
  }
}

function failed(cause: unknown): KcodecError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new KcodecError("NOT_LOADED", { text: `the module could not be loaded: ${reason}`, cause });
}

/** As {@link init}, for bytes or a module that are there already. */
export function initSync(source: ModuleBytes): void {
  try {
    loaded = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(bytesIn(source));
  } catch (cause) {
    throw failed(cause);
  }
}

/** As an array or a buffer, since not every engine compiles a `DataView`. */
function bytesIn(source: ArrayBuffer | ArrayBufferView<ArrayBuffer>): ArrayBuffer | Uint8Array<ArrayBuffer> {
  if (!ArrayBuffer.isView(source)) return source;
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}

async function compile(source: Awaited<ModuleSource>): Promise<CompiledModule> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(bytesIn(source));
  const isPlace = typeof source === "string" || source instanceof URL;
  const response = isPlace ? await fetch(source) : source;
  if (!("headers" in Object(response))) throw new TypeError("the source is neither a place, a response nor bytes");
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  // Servers that send another type are common, and compileStreaming refuses those.
  const streams = response.headers.get("Content-Type") === "application/wasm";
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
