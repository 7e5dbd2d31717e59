/** Without the module: the caller gives it to `init` or `initSync`. Libraries depend on this one. */

export * from "./api.js";
