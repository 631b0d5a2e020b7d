/** What an engine plugin needs besides the plugin API: the interpreter and the compiled graph. */
export { advance } from './interpreter/advance.js';
export { projectRun } from './interpreter/project-run.js';
export { visibleTaints } from './interpreter/taint.js';
export { visibleVariables } from './interpreter/variables.js';
export { chainEvents, GENESIS_HASH, sha256Hex } from './domain/run-event.js';
export { countedId, derivedId, isUuid, randomId } from './domain/ids.js';
export { chainAudit } from './domain/audit-chain.js';
export { compileWorkflow, compileWorkflows, describeElements, workflowDigest } from './bpmn/index.js';
export { lintWorkflows } from './bpmn/lint/lint-workflows.js';
export { compileDecisions, decisionsDigest, defineDecision } from './dmn/index.js';
export type { DecisionGraph } from './domain/decision.js';

export { isArtifactName } from './domain/artifact-name.js';
export { findJsonProblem } from './domain/json.js';
export { MAX_MESSAGE_TEXT } from './domain/message-limits.js';
export { addIsoDuration, parseIsoDate, parseIsoDuration } from './domain/iso-8601.js';
export { firstDue, nextDue } from './domain/timer-cycle.js';
export { SYSTEM_ACTOR, recordedActor } from './domain/principal.js';
export type { ChildReport, Command } from './domain/commands.js';
export type * from './domain/event-definitions.js';
export type * from './domain/run-state.js';
export type { Taints } from './domain/taint.js';
export type * from './domain/workflow-graph.js';
export type { EngineSettings } from './domain/advance-result.js';
