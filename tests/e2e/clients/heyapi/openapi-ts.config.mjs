// Node requires file extensions in imports.
export default { output: { path: "client", module: { extension: ".js" } } };
