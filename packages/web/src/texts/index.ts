/**
 * All texts of the web UI in English: the texts of the inbox and a section for each further area. A translation is a
 * module of the same shape. As exports of a module, the sections are loaded only by the pages that use them.
 */
export * as texts from './en/index.js';
