using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const main :Workerd.Worker = (
  modules = [
    (name = "main.mjs", esModule = embed "out/main.mjs"),
    (name = "kcodec.wasm", wasm = embed "node_modules/kcodec/dist/kcodec.wasm"),
  ],
  compatibilityDate = "2026-01-01",
);
