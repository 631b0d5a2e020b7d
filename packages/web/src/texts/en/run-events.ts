import type { RunEvent } from '@countersign/contract';
import { formatCount } from '@countersign/inbox-ui/texts/format-count';

/** Values to insert into a sentence. All of them are untrusted. */
export interface SentenceContext {
  /** Name of the element, in quotes. */
  readonly step: string;
  /** Preposition and name of the actor, such as ` by ada`; empty if no authenticated user acted. */
  readonly by: string;
  /** Name of the actor, or `Someone`. */
  readonly actor: string;
  /** Returns a value of the event as text, or `…` if it is missing. */
  data(name: string): string;
  has(name: string): boolean;
}

type Sentence = (context: SentenceContext) => string;

const reasonSuffix = ({ has, data }: SentenceContext, name: string): string => (has(name) ? `: ${data(name)}` : '.');

const VOTE_VERBS: Readonly<Record<string, string>> = {
  approve: 'approved',
  reject: 'rejected',
  request_changes: 'asked for changes to',
};

const NOT_COUNTED_NOTE = ' (earlier votes of people who have contributed since no longer count)';

/** Sentences by type of run event. */
const sentences: Readonly<Record<RunEvent['type'], Sentence>> = {
  'run.started': ({ by, data }) => `The run was started${by} with version ${data('workflowVersion')}.`,
  'run.completed': () => 'The run completed.',
  'run.failed': ({ data }) => `The run failed with ${data('code')}.`,
  'run.cancelled': () => 'The run was cancelled.',
  'run.rejected': ({ step }) => `The run ended: ${step} was rejected.`,
  'run.cancel_requested': (context) => `Cancellation was requested${context.by}${reasonSuffix(context, 'reason')}`,
  'run.recovered': (context) => `The run was recovered${context.by}${reasonSuffix(context, 'comment')}`,
  'run.migrated': (context) =>
    `The run was moved to version ${context.data('toVersion')}${context.by}${reasonSuffix(context, 'comment')}`,
  'step.started': ({ step }) => `${step} started.`,
  'step.completed': ({ step }) => `${step} completed.`,
  'step.failed': (context) => `${context.step} failed with ${context.data('code')}${reasonSuffix(context, 'message')}`,
  'step.attempt_failed': (context) =>
    `Attempt ${context.data('attempt')} of ${context.step} failed and is retried${reasonSuffix(context, 'message')}`,
  'step.retried': ({ step }) => `${step} is retried.`,
  'step.cancelled': ({ step }) => `${step} was cancelled.`,
  'step.migrated': ({ step, data }) => `${step} replaces ${data('from')}.`,
  'step.compensated': ({ step, data }) => `${step} was compensated by ${data('handler')}.`,
  'approval.requested': ({ step, data }) => `Approval of ${step} was requested (round ${data('round')}).`,
  'approval.voted': (context) =>
    `${context.actor} ${VOTE_VERBS[context.data('decision')] ?? 'voted on'} ${context.step}${context.has('notCounted') ? NOT_COUNTED_NOTE : ''}${reasonSuffix(context, 'comment')}`,
  'approval.resolved': ({ step, data }) =>
    `The approval of ${step} was resolved: ${data('status').replaceAll('_', ' ')}.`,
  'approval.withdrawn': (context) => `The approval of ${context.step} was withdrawn${reasonSuffix(context, 'reason')}`,
  'approval.expired': ({ step }) => `The approval of ${step} expired without a decision.`,
  'approval.delegated': ({ step, by }) => `The approval of ${step} was delegated${by}.`,
  'approval.reassigned': ({ step, by }) => `The approval of ${step} was reassigned${by}.`,
  'approval.commented': (context) =>
    `${context.actor} commented on the approval of ${context.step}${reasonSuffix(context, 'text')}`,
  'rework.started': ({ data }) => `The run returned to ${data('targetElementId')} for the requested changes.`,
  'message.awaited': ({ step, data }) => `${step} waits for the message ${data('messageName')}.`,
  'message.received': ({ step, data }) => `The message ${data('messageName')} reached ${step}.`,
  'event.awaited': ({ step, data, has }) =>
    has('messageName')
      ? `${step} listens for the message ${data('messageName')}.`
      : has('signalName')
        ? `${step} waits for the signal ${data('signalName')}.`
        : `${step} waits for its event.`,
  'signal.received': ({ step, data }) => `The signal ${data('signalName')} reached ${step}.`,
  'timer.fired': ({ step }) => `The timer of ${step} was due.`,
  'condition.met': ({ step }) => `The condition of ${step} was met.`,
  'error.thrown': (context) =>
    `${context.step} threw the error ${context.data('code')}${reasonSuffix(context, 'message')}`,
  'error.caught': ({ step, data }) => `${step} caught the error ${data('code')}.`,
  'escalation.thrown': ({ step, data }) => `${step} threw the escalation ${data('code')}.`,
  'escalation.caught': ({ step, data }) => `${step} caught the escalation ${data('code')}.`,
  'compensation.started': () => 'Compensation started.',
  'compensation.completed': () => 'Compensation completed.',
  'child.requested': ({ step, data }) => `${step} called ${data('workflowId')}.`,
  'child.ended': ({ step, data }) => `The child run of ${step} ended: ${data('how')}.`,
  'contributors.added': () => 'People contributed to the data of the parent run or of a child run.',
  'decision.evaluated': ({ step, data }) => `${step} evaluated the DMN decision ${data('decisionId')}.`,
  'decision.failed': ({ step, data }) =>
    `The DMN decision ${data('decisionId')} of ${step} failed with ${data('code')}.`,
  'artifact.created': ({ by, data }) => `The artifact ${data('name')} (version ${data('version')}) was stored${by}.`,
  'agent.turn': ({ data }) => `The agent ${data('agent')} completed turn ${data('turn')} with ${data('model')}.`,
  'agent.response_discarded': ({ data }) => `A response of ${data('model')} could not be used: ${data('code')}.`,
  'agent.call.requested': ({ data }) => `The agent proposed to call ${data('tool')}.`,
  'agent.call.dispatched': ({ data }) => `${data('tool')} was called.`,
  'agent.call.completed': ({ data }) =>
    `${data('tool')} ${data('isError') === 'true' ? 'returned an error' : 'returned a result'}.`,
  'agent.call.refused': ({ data }) => `The call to ${data('tool')} was refused: ${data('code')}.`,
  'agent.call.changed': ({ data }) => `The definition of ${data('tool')} changed: its call is evaluated again.`,
  'agent.call.lost': ({ data }) => `It is unknown whether ${data('tool')} was called.`,
  'agent.repair': () => 'The agent was asked to correct its output.',
  'agent.budget_exhausted': ({ data }) => `The agent used up its budget of ${data('limit')}.`,
  'agent.budget_extended': () => 'The budget of the agent was extended.',
  'personal_data.erased': (context) => `Personal data was erased${context.by}${reasonSuffix(context, 'reason')}`,
  'question.asked': (context) => `${context.step} asked a question${reasonSuffix(context, 'text')}`,
  'question.answered': (context) =>
    `The question of ${context.step} was answered${context.by}${reasonSuffix(context, 'answer')}`,
  'question.expired': ({ step }) => `The question of ${step} expired without an answer.`,
  'question.withdrawn': (context) => `The question of ${context.step} was withdrawn${reasonSuffix(context, 'reason')}`,
};

export const runEvents = {
  sentences,
  unknown: (type: string, step: string) => `${type} (${step})`,
  theRun: 'the run',
  quoted: (name: string) => `“${name}”`,
  by: (actor: string) => ` by ${actor}`,
  someone: 'Someone',
  missing: '…',
  erased: '[erased]',
  label: 'Events of the run',
  timeline: 'Timeline',
  list: 'List',
  json: 'JSON',
  view: 'View',
  kind: 'Event type',
  allKinds: 'All event types',
  element: 'Step',
  allElements: 'All steps',
  follow: 'Follow',
  download: 'Download',
  loading: (n: number) => `Loading… ${n.toLocaleString('en')}`,
  count: (n: number) => formatCount(n, 'event', 'events'),
  none: 'No matching events',
  later: (duration: string) => `${duration} later`,
  seq: 'No.',
  at: 'Time',
  sentence: 'What happened',
  type: 'Type',
  actor: 'Who',
  hash: 'Hash',
  copyHash: 'Copy hash',
  hashHint: 'Hash chain: the hash covers this event and, through the previous hash, all earlier events.',
  data: 'Event data',
  details: (seq: number) => `Event ${seq}`,
  close: 'Close event',
  toMoment: 'Show run at this moment',
  toStep: 'Open step',
  kinds: {
    run: 'Run',
    step: 'Steps',
    approval: 'Approvals',
    question: 'Questions',
    agent: 'Agents',
    wait: 'Messages, signals and timers',
    error: 'Errors and escalations',
    artifact: 'Artifacts',
    child: 'Child runs',
    decision: 'DMN decisions',
    undo: 'Compensation and rework',
  },
} as const;
