/** Checks of BPMN and DMN files for tools without a server: problems that prevent a deployment, and lint findings. */
export { compileWorkflows, type CompiledFile } from '../compile-workflow.js';
export { compileDecisions } from '../dmn/index.js';
export { lintWorkflows, type LintOptions } from './lint-workflows.js';
export type { Finding, Severity } from './finding.js';
export { locateElements, readModel, type ModelRoot } from './read-model.js';
