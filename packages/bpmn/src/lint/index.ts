/** Checks of model files, for tools that need no server: what would refuse them, and what there is to say besides. */
export { compileWorkflows, type CompiledFile } from '../compile-workflow.js';
export { compileDecisions } from '../dmn/index.js';
export { lintWorkflows, type LintOptions } from './lint-workflows.js';
export type { Finding, Severity } from './finding.js';
export { locateElements, readModel, type ModelRoot } from './read-model.js';
