export { compileWorkflow, type CompiledWorkflow } from './compile-workflow.js';
export { describeElements, type ElementDescription } from './describe-elements.js';
export { MODEL_LIMITS } from './limits.js';
export { workflowDigest } from './workflow-digest.js';
