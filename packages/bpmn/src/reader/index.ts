/** Readers of model files, for code that uses moddle directly. Runs in browsers too. */
export { createSchemaHandler } from './schema-handler.js';
export { decodeWideCharacters } from './wide-characters.js';
