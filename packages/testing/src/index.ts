export * from './contract/artifact-store-contract.js';
export * from './contract/definition-store-contract.js';
export * from './test-postgres.js';
export { ManualJobs, type HeldJob } from './host/manual-jobs.js';
export { approvalModel, processModel, serviceTask } from './host/process-model.js';
export { createTestHost, type TestHost, type TestHostOptions } from './host/create-test-host.js';
export * from './contract/storage-contract.js';
export { businessRuleTask, decisionModel, type DecisionTable } from './host/decision-model.js';
