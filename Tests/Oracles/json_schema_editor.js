// Asks Microsoft's JSON language service, as Monaco (the editor of VS Code) bundles it, what it makes of a schema.
//
// node json_schema_editor.js WORKER SCHEMA < { "text": "…", "positions": [{ "line": 0, "character": 0 }, …] }
// prints { "diagnostics": […], "at": [{ "completions": [{ "label", "documentation" }], "hover": "…" }, …] }
"use strict";
const fs = require("fs");
const vm = require("vm");

const [worker, schema] = process.argv.slice(2);
const { text, positions } = JSON.parse(fs.readFileSync(0, "utf8"));
const uri = "file:///project.json";

globalThis.self = globalThis;
globalThis.postMessage = () => {};
globalThis.addEventListener = () => {};
const hook = "self.onmessage = ";
const source = fs.readFileSync(worker, "utf8");
// The last statement of the worker starts it; its class is kept instead.
const last = source.lastIndexOf(hook);
if (last < 0) throw new Error("the worker is another one than this script knows");
vm.runInThisContext(source.slice(0, last) + "globalThis.JSONWorker = JSONWorker; " + source.slice(last), { filename: worker });

const model = { uri: { toString: () => uri }, version: 1, getValue: () => text };
const service = new globalThis.JSONWorker({ getMirrorModels: () => [model] }, {
  languageId: "json",
  languageSettings: {
    validate: true, allowComments: true,
    schemas: [{ uri: "compositor.schema.json", fileMatch: ["*"], schema: JSON.parse(fs.readFileSync(schema, "utf8")) }],
  },
});

const plain = (content) => (Array.isArray(content) ? content.map(plain).join("\n") : content?.value ?? content ?? "");

(async () => {
  const at = [];
  for (const position of positions) {
    const list = await service.doComplete(uri, position);
    const hover = await service.doHover(uri, position);
    at.push({
      completions: (list?.items ?? []).map((item) => ({ label: item.label, documentation: plain(item.documentation) })),
      hover: plain(hover?.contents),
    });
  }
  const diagnostics = (await service.doValidation(uri)).map((found) => ({ line: found.range.start.line, message: found.message }));
  console.log(JSON.stringify({ diagnostics, at }));
})();
