/** Readers of model files, for code that uses moddle directly. Runs in browsers too. */
export { followSchema } from './follow-schema.js';
export { withWideCharacters } from './wide-characters.js';
