export * from './test-postgres.js';
