// The workflows that Temporal executes. The build bundles this file.
export { countersignRun } from './run-workflow.js';
export { countersignStartTimers } from './start-timers-workflow.js';
