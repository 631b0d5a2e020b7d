export * from './current-time.js';
export * from './is-alive.js';
export * from './nothing-erased.js';
export * from './seconds.js';
export * from './turns-during.js';
export * from './until.js';
