// Node finds modules by their whole names.
export default { output: { path: "client", module: { extension: ".js" } } };
