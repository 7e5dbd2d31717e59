// Prints what failed and what was left out, and then how many there were.

export default async function* report(source) {
  let passed = 0;
  let failed = 0;
  for await (const { type, data } of source) {
    const isFile = data.details?.type === "suite" || data.file === data.name;
    if (type === "test:pass" && typeof data.skip === "string") yield `skipped: ${data.name}: ${data.skip}\n`;
    else if (type === "test:pass" && !isFile) passed++;
    else if (type === "test:fail") {
      failed++;
      const { error } = data.details;
      yield `FAILED: ${data.name} (${data.file})\n${indent(error.cause?.stack ?? error.cause ?? error.message)}\n`;
    } else if (type === "test:stderr") yield data.message;
  }
  yield `js: ${passed} passed, ${failed} failed\n`;
}

function indent(text) {
  return String(text).slice(0, 3000).replaceAll(/^/gm, "    ");
}
