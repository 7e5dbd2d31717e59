/** What workers make of the import of a module. */
declare const module: WebAssembly.Module;
export default module;
