/** Entry point: applies commands to runs, and replays recorded histories. */
export { advance, advanceInPieces, getLastTime } from './advance.js';
export { canRequestChanges } from './approvals/can-request-changes.js';
export { projectRun } from './project-run.js';
export { getVisibleTaints } from './taint.js';
export { getVisibleVariables } from './variables.js';
export type { RunIdentity } from './replay/recorded-command.js';
export { ReplayGap } from './replay/recorded-event.js';
export {
  MoreEventsNeeded,
  replayCommand,
  type ReplayedMoment,
  type ReplayPosition,
  type ReplayedCommand,
} from './replay/replay.js';
