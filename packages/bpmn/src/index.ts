/** Compiles BPMN files to graphs for the interpreter. Refuses elements that cannot be executed faithfully. */
export { compileWorkflow, compileWorkflows, type CompiledFile } from './compile-workflow.js';
export { checkWorkflowsAside, compileDecisionsAside, compileWorkflowsAside } from './aside/compile-aside.js';
export { describeElements } from './describe-elements.js';
export { findSchemaError } from './schema-errors.js';
export { inexactSchema } from './input-schema.js';
export { workflowDigest } from './workflow-digest.js';
