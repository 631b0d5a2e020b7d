/** Compiles BPMN files to the graphs that the interpreter walks. What can't be executed faithfully is refused, by element. */
export { compileWorkflow, compileWorkflows, type CompiledFile } from './compile-workflow.js';
export { checkWorkflowsAside, compileDecisionsAside, compileWorkflowsAside } from './aside/compile-aside.js';
export { describeElements } from './describe-elements.js';
export { findSchemaError } from './schema-errors.js';
export { inexactSchema } from './input-schema.js';
export { workflowDigest } from './workflow-digest.js';
