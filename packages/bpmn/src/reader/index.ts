/** How model files are read, for whoever reads them with moddle itself: runs in browsers too. */
export { followSchema } from './follow-schema.js';
export { withWideCharacters } from './wide-characters.js';
