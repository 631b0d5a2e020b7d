import {
  type AdvanceContext,
  type AdvanceResult,
  runToCompletion,
  type Command,
  type RunState,
  type StartCommand,
  type WorkflowGraph,
  unreachable,
} from '@countersign/model';
import { recordCall, reproposeCall } from './agents/record-call.js';
import { recordUnknownOutcome } from './agents/record-unknown-outcome.js';
import { recordTurn } from './agents/record-turn.js';
import { delegate, reassign } from './commands/assign.js';
import { comment } from './commands/comment.js';
import { cancel } from './commands/cancel.js';
import { erasePersonalData } from './commands/erase-personal-data.js';
import {
  correlate,
  fireTimer,
  deliverThrownSignal,
  receiveSignal,
  triggerSignalSubscription,
} from './commands/events.js';
import { completeJob, failJob, throwJobError } from './commands/job.js';
import { receiveContributors } from './commands/receive-contributors.js';
import { reportChild } from './commands/report-child.js';
import { recordArtifact } from './commands/record-artifact.js';
import { migrate } from './commands/migrate.js';
import { recover } from './commands/recover.js';
import { createInitialState, start } from './commands/start.js';
import { vote } from './commands/vote.js';
import { enter } from './enter.js';
import { onHandlerEnded } from './compensation/index.js';
import { checkWaitingConditions } from './events/check-waiting-conditions.js';
import { Execution } from './execution.js';
import { sortKeys } from './sort-keys.js';
import { answerQuestion } from './questions/answer-question.js';
import { haltOnEnter, haltOnLeave } from './halt.js';
import { fireWaitingGateways } from './fire-waiting-gateways.js';
import { leave, completeScopeIfEmpty } from './leave.js';

/** Commands that change nothing but the records of a run. */
const ALLOWED_AFTER_END: ReadonlySet<Command['type']> = new Set([
  'artifact.record',
  'approval.comment',
  'personal_data.erase',
]);

/**
 * Applies a command to a run and returns the new state, the events and the requests for the engine.
 *
 * Pure: no clock, no randomness, no I/O. The same arguments always give the same result, so a run can be replayed from
 * its evidence. `state` is `null` only for a start; it is never modified.
 *
 * @throws {Error} if the state belongs to another graph, or if it is `null` and the command is not a start
 */
export function advance(
  graph: WorkflowGraph,
  state: RunState | null,
  command: Command,
  context: AdvanceContext,
): AdvanceResult {
  return runToCompletion(advanceInPieces(graph, state, command, context));
}

/**
 * Does the same as {@link advance}, but yields after each element that it enters, leaves, cancels, retries, moves or
 * erases, so a command for thousands of elements does not block other requests on the thread. The caller must not
 * modify the arguments before the generator ends.
 *
 * @throws {Error} as {@link advance}
 */
export function* advanceInPieces(
  graph: WorkflowGraph,
  state: RunState | null,
  command: Command,
  context: AdvanceContext,
): Generator<void, AdvanceResult> {
  // A replay reads the command from the history, where its keys may be in another order.
  const sortedCommand = sortKeys(command);
  const before = state ?? createInitialState(graph, requireStartCommand(sortedCommand), context.now);
  const execution = new Execution(graph, before, { ...context, now: Math.max(context.now, getLastTime(before)) });
  if (before.outcome !== null && !ALLOWED_AFTER_END.has(sortedCommand.type)) {
    execution.refuse('run_already_ended', `The run has ended (${before.outcome}).`, { outcome: before.outcome });
  } else if (before.outcome === null && sortedCommand.type === 'personal_data.erase') {
    execution.refuse(
      'run_not_ended',
      'The run has not ended and still needs its data. Cancel it, or wait until it ends.',
    );
  } else {
    // A comment updates its own time.
    if (sortedCommand.type !== 'approval.comment') execution.update({ updatedAt: execution.now });
    yield* apply(execution, sortedCommand);
    if (!execution.isAbandoned) yield* processAgenda(execution);
  }
  return {
    state: execution.events.length === 0 ? before : execution.result(),
    events: execution.events,
    requests: execution.requests,
    approval: execution.approval,
    ...(execution.question === null ? {} : { question: execution.question }),
    refusal: execution.refusal,
  };
}

/** Returns the time of the last command of a run, in milliseconds since the epoch. */
export function getLastTime({ updatedAt, commentedAt = updatedAt }: RunState): number {
  return Math.max(updatedAt, commentedAt);
}

function requireStartCommand(command: Command): StartCommand {
  if (command.type !== 'start')
    throw new Error(`The command "${command.type}" requires a run, but the run does not exist. Start it first.`);
  return command;
}

function* apply(execution: Execution, command: Command): Generator<void, void> {
  switch (command.type) {
    case 'start':
      return yield* start(execution, command);
    case 'job.complete':
      return completeJob(execution, command);
    case 'job.fail':
      return failJob(execution, command);
    case 'job.error':
      return yield* throwJobError(execution, command);
    case 'agent.turn':
      return recordTurn(execution, command);
    case 'agent.call':
      return recordCall(execution, command);
    case 'agent.repropose':
      return reproposeCall(execution, command);
    case 'agent.lose':
      return recordUnknownOutcome(execution, command);
    case 'question.answer':
      return yield* answerQuestion(execution, command);
    case 'approval.vote':
      return yield* vote(execution, command);
    case 'approval.delegate':
      return delegate(execution, command);
    case 'approval.reassign':
      return reassign(execution, command);
    case 'approval.comment':
      return comment(execution, command);
    case 'message.correlate':
      return yield* correlate(execution, command);
    case 'signal.receive':
      return yield* receiveSignal(execution, command);
    case 'child.report':
      return yield* reportChild(execution, command);
    case 'contributors.add':
      return yield* receiveContributors(execution, command);
    case 'timer.fire':
      return yield* fireTimer(execution, command);
    case 'artifact.record':
      yield* recordArtifact(execution, command);
      return;
    case 'cancel':
      return yield* cancel(execution, command);
    case 'recover':
      return yield* recover(execution, command);
    case 'migrate':
      return yield* migrate(execution, command);
    case 'personal_data.erase':
      return yield* erasePersonalData(execution, command);
    default:
      return unreachable(command);
  }
}

/** Processes the agenda first in, first out, as Zeebe processes the records of its log. */
function* processAgenda(execution: Execution): Generator<void, void> {
  const { halt } = execution.context;
  if (execution.variablesChanged) yield* checkWaitingConditions(execution);
  do {
    for (let item = execution.nextItem(); item !== undefined; item = execution.nextItem()) {
      if (halt !== undefined && item.type === 'enter') haltOnEnter(execution, item, halt);
      else if (halt !== undefined && item.type === 'leave') haltOnLeave(execution, item, halt);
      else if (item.type === 'enter') yield* enter(execution, item);
      else if (item.type === 'leave') yield* leave(execution, item.key, item.result, item.taints);
      else if (item.type === 'scope') yield* completeScopeIfEmpty(execution, item.key);
      else if (item.type === 'compensated') yield* onHandlerEnded(execution, item.key);
      else if (item.type === 'signalled')
        yield* triggerSignalSubscription(execution, item.key, item.subscriptionId, item.payload, item.taints);
      else yield* deliverThrownSignal(execution, item.signalName, item.payload, item.taints);
      if (execution.variablesChanged) yield* checkWaitingConditions(execution);
      yield;
    }
  } while (fireWaitingGateways(execution));
}
