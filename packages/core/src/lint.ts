/** Checks of model files, for tools that need no server: what would refuse them, and what there is to say besides. */
export { compileWorkflows, type CompiledFile } from './bpmn/compile-workflow.js';
export { compileDecisions } from './dmn/index.js';
export { lintWorkflows, type LintOptions } from './bpmn/lint/lint-workflows.js';
export type { Finding, Severity } from './bpmn/lint/finding.js';
export { locateElements, readModel, type ModelRoot } from './bpmn/lint/read-model.js';
export { ModelRefusedError, type ModelProblem } from './errors/model-refused-error.js';
