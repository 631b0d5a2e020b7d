export * from './plugin.js';
export * from './application/index.js';
export * from './host/index.js';
