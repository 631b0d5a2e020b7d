// The base class of engines, and the registration of an engine by its plugin.
export { CommandEngine } from './command-engine.js';
export { EngineDependencies, EngineOptionsToken } from './engine-dependencies.js';
export { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './engine-options.js';
export { ENGINE_DEPENDS_ON, registerEngine } from './register-engine.js';

// Commands and their commits.
export { COMMAND_ACTIONS, type CommandAction } from './commands/command-actions.js';
export { isNotStorable, isObsolete, isPermanentRefusal } from './commands/error-classification.js';
export type { CommitListener } from './commands/prepared-command.js';
export { createSaltSource } from './commands/salt-source.js';
export { type CachedRun, toCachedRun } from './caches/run-cache.js';
export type { CompiledVersion } from './caches/workflow-cache.js';

// Jobs and timers.
export { listOpenWork, type OpenJob, type OpenTimer, type OpenWork } from './open-work.js';
export { createHandlerExecutors, type HandlerResults } from './jobs/handler-executors.js';
export type { JobFailure } from './jobs/job-values.js';
export { type JobFailureReporter, type JobParts, runJob } from './jobs/run-job.js';
export { computeHoldMs, isLateResult } from './jobs/unstored-results.js';

// Loops and counters.
export { BackgroundLoop } from './background-loop.js';
export { KeyedCounter } from './keyed-counter.js';
