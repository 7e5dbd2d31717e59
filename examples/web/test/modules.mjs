/** Loads modules of the page in Node, through the same build that makes the page. */

import { fileURLToPath } from "node:url";
import { createServer } from "vite";

export async function modules() {
  const server = await createServer({
    root: fileURLToPath(new URL("..", import.meta.url)),
    server: { middlewareMode: true, hmr: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    appType: "custom",
    logLevel: "error",
  });
  return { load: (path) => server.ssrLoadModule(`/src/${path}`), close: () => server.close() };
}
