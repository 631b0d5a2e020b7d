export * from './embedded/index.js';
