export * from './test-postgres.js';
export * from './contract/artifact-store-contract.js';
