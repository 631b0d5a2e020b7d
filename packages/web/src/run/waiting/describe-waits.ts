import type { Approval, RunDetail, Step, WaitingFor } from '@countersign/contract';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { texts } from '../../texts/index.js';
import { getWaitCategory } from './own-waits.js';

const whyTexts = texts.run.why;

export interface WaitContext {
  readonly run: RunDetail;
  /** Approvals of the run that are loaded so far. */
  readonly approvals: readonly Approval[];
  /** Current time, in ms. */
  readonly now: number;
}

type ApprovalWait = Extract<WaitingFor, { kind: 'approval' }>;

/** Describes the waits of a run in one phrase: the first one or two, or the first and the number of others. */
export function describeWaits(firstWait: WaitingFor, otherWaits: readonly WaitingFor[], context: WaitContext): string {
  const firstText = describeWait(firstWait, context);
  const [secondWait] = otherWaits;
  if (secondWait === undefined) return firstText;
  if (otherWaits.length > 1) return `${firstText}${whyTexts.and(whyTexts.otherWaits(otherWaits.length))}`;
  return (
    describeTwoApprovals(firstWait, secondWait, context) ??
    `${firstText}${whyTexts.and(describeWait(secondWait, context))}`
  );
}

/** Describes two approvals together; returns `undefined` if their texts differ in more than the titles. */
function describeTwoApprovals(first: WaitingFor, second: WaitingFor, context: WaitContext): string | undefined {
  if (first.kind !== 'approval' || second.kind !== 'approval') return undefined;
  const { title, approvers, quorum, due } = getApprovalParts(first, context);
  const otherParts = getApprovalParts(second, context);
  const canBeJoined =
    approvers === otherParts.approvers && due === otherParts.due && quorum === '' && otherParts.quorum === '';
  return canBeJoined ? whyTexts.approval(whyTexts.both(title, otherParts.title), approvers, quorum, due) : undefined;
}

/** Describes a wait as the object of "waiting for". */
export function describeWait(wait: WaitingFor, context: WaitContext): string {
  const quotedName = quoteName(wait);
  switch (wait.kind) {
    case 'approval': {
      const { title, approvers, quorum, due } = getApprovalParts(wait, context);
      return whyTexts.approval(title, approvers, quorum, due);
    }
    case 'question':
      return whyTexts.question(
        quotedName,
        context.run.steps.find(({ stepId }) => stepId === wait.stepId)?.agentName ?? null,
        describeDueTime(wait.dueAt, context.now),
      );
    case 'timer':
      return whyTexts.timer(quotedName, formatTimeUntilDue(wait.dueAt, context.now));
    case 'event':
      if (wait.messageName !== null) return whyTexts.message(wait.messageName, wait.correlationKey, quotedName);
      if (wait.childRunId !== null) return whyTexts.child(quotedName, describeChildWait(context));
      return wait.signalName === null ? whyTexts.condition(quotedName) : whyTexts.signal(wait.signalName, quotedName);
  }
}

/** Returns the name of a step or element in quotes, or its id if it has no name. */
export function quoteName({ name, elementId }: Pick<Step, 'name' | 'elementId'>): string {
  return `“${name ?? elementId}”`;
}

/** Describes a wait of a child run; returns `null` if there is none. */
function describeChildWait(context: WaitContext): string | null {
  const { run } = context;
  const ownStepIds = new Set(run.steps.map(({ stepId }) => stepId));
  const deepestWait = run.waitingFor.find((wait) => !ownStepIds.has(wait.stepId) && getWaitCategory(wait) !== 'child');
  return deepestWait === undefined ? null : describeWait(deepestWait, context);
}

function getApprovalParts(wait: ApprovalWait, { approvals, now }: WaitContext) {
  const approval = approvals.find(({ approvalId }) => approvalId === wait.approvalId);
  return {
    title: approval === undefined ? quoteName(wait) : `“${approval.title}”`,
    approvers: describeApprovers(approval),
    quorum: approval === undefined ? '' : describeQuorum(approval),
    due: describeDueTime(wait.dueAt, now),
  };
}

function describeApprovers(approval: Approval | undefined): string | null {
  if (approval === undefined) return null;
  const people = [...approval.candidateUsers, ...approval.candidateGroups.map(whyTexts.group)];
  return people.length === 0 ? whyTexts.anyApprover : joinNames(people);
}

function describeQuorum({ quorum: { required, approvals } }: Approval): string {
  return required > 1 ? whyTexts.quorum(approvals, required) : '';
}

function joinNames(names: readonly string[]): string {
  return names.length <= 3
    ? new Intl.ListFormat('en', { type: 'disjunction' }).format(names)
    : whyTexts.oneOf(names.slice(0, 2).join(', '), names.length - 2);
}

function describeDueTime(dueAt: string | null, now: number): string {
  if (dueAt === null) return '';
  return Date.parse(dueAt) > now
    ? whyTexts.due(formatTimeUntilDue(dueAt, now))
    : whyTexts.late(formatTimeUntilDue(dueAt, now));
}

function formatTimeUntilDue(dueAt: string, now: number): string {
  const remainingMs = Date.parse(dueAt) - now;
  return remainingMs > 0 ? whyTexts.in(formatDuration(remainingMs)) : whyTexts.overdue(formatDuration(-remainingMs));
}
