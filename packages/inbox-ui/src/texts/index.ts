/**
 * All texts of the inbox in English, one section per area. A translation is a module of the same shape. As exports of a
 * module, the sections are loaded only by the pages that use them.
 */
export * as texts from './en/index.js';
