// The texts of the pages by language and key, which the service fills in from `words.toml`.

export const TEXTS = {};
