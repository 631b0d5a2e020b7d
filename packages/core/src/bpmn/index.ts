export { compileWorkflow, compileWorkflows } from './compile-workflow.js';
export { describeElements } from './describe-elements.js';
export { workflowDigest } from './workflow-digest.js';
