/** Checks of model files, for tools without a server: reasons for a refusal, and additional findings. */
export { compileWorkflows, type CompiledFile } from '../compile-workflow.js';
export { compileDecisions } from '../dmn/index.js';
export { lintWorkflows, type LintOptions } from './lint-workflows.js';
export type { Finding, Severity } from './finding.js';
export { locateElements, readModel, type ModelRoot } from './read-model.js';
