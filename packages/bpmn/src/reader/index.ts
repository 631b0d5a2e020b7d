/** Functions for code that reads BPMN or DMN files with moddle directly. They also run in browsers. */
export { createSchemaHandler } from './schema-handler.js';
export { decodeWideCharacters } from './wide-characters.js';
