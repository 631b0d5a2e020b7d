/** Compiles BPMN files to graphs for the interpreter. Refuses elements that cannot be executed faithfully. */
export { compileWorkflow, compileWorkflows, type CompiledFile } from './compile-workflow.js';
export {
  checkWorkflowsOffThread,
  compileDecisionsOffThread,
  compileWorkflowsOffThread,
} from './off-thread/compile-off-thread.js';
export { describeElements } from './describe-elements.js';
export { findSchemaError } from './schema-errors.js';
export { describeInexactNumber } from './input-schema.js';
export { computeWorkflowDigest } from './workflow-digest.js';
