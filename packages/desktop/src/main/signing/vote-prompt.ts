import type { Approval } from '@countersign/contract';
import type { Vote } from '../../common/methods.js';
import { describeReversibility } from '../vote/describe-reversibility.js';
import { formatDialogList, toDialogText } from './to-dialog-text.js';
import type { ConfirmationPrompt } from './confirm.js';
import { formatServer } from './key-prompts.js';

/**
 * Maximum number of lines for inputs, and for evidence. If a dialog is taller than the screen, its buttons are not
 * visible.
 */
/** Clock difference above which the dialog warns, in ms. */
const MAX_CLOCK_OFFSET_MS = 120_000;

const DECISION_TEXTS = Object.freeze({
  approve: { message: 'Sign your approval?', confirm: 'Sign and approve', decision: 'Approve' },
  reject: { message: 'Sign your rejection?', confirm: 'Sign and reject', decision: 'Reject' },
  request_changes: {
    message: 'Sign your request for changes?',
    confirm: 'Sign and request',
    decision: 'Request changes',
  },
} as const);

export interface VoteToSign {
  readonly server: { readonly name: string; readonly url: string };
  /** The approval as loaded by the main process. */
  readonly approval: Approval;
  readonly vote: Vote;
  readonly keyId: string;
  /** How far the server's clock is ahead of this machine's, in ms. */
  readonly clockOffset: number;
}

/**
 * Returns the prompt for signing a vote. Except for the vote itself, it contains only data that the main process has
 * loaded.
 */
export function createVotePrompt({
  server,
  approval,
  vote: { decision, comment, subjectDigest, editedArguments },
  keyId,
  clockOffset,
}: VoteToSign): ConfirmationPrompt {
  const decisionTexts = DECISION_TEXTS[decision];
  const { subject, riskLevel, riskFactors } = approval;
  const hasEditedArguments = editedArguments !== undefined;
  const lines = [
    toDialogText(getTitle(approval), 160),
    // Unlike the summary in the subject, a summary that the server derives from the inputs is not covered by the digest.
    ...(subject.kind === 'user_task' && subject.summary !== undefined ? [toDialogText(subject.summary, 300)] : []),
    `Requested action: ${describeEffect(approval)}`,
    '',
    `Decision: ${decisionTexts.decision}, round ${approval.round}`,
    `Comment: ${comment === undefined ? 'none' : `“${toDialogText(comment, 300)}”`}`,
    `Risk: ${riskLevel}${
      riskFactors.length === 0
        ? ''
        : ` (${joinFirst(
            riskFactors.map(({ description }) => toDialogText(description, 80).replace(/\.$/, '')),
            3,
            '; ',
          )})`
    }`,
    ...(subject.kind === 'tool_call'
      ? [
          `Tool: ${toDialogText(subject.tool, 100)}${
            subject.hosts.length === 0
              ? ''
              : ` at ${joinFirst(
                  subject.hosts.map((host) => toDialogText(host, 80)),
                  3,
                  ', ',
                )}`
          }`,
        ]
      : []),
    ...formatDialogList(
      hasEditedArguments ? 'Arguments, as you changed them' : subject.kind === 'tool_call' ? 'Arguments' : 'Inputs',
      Object.entries(editedArguments ?? subject.inputs).map(
        ([name, value]) => `${toDialogText(name, 40)}: ${toDialogText(JSON.stringify(value), 120)}`,
      ),
    ),
    ...formatDialogList(
      'Evidence',
      subject.evidence.map(
        ({ name, version, sha256 }) =>
          `${toDialogText(name, 80)}, ${version === null ? 'absent' : `version ${version}`}${sha256 === null ? '' : `, sha256 ${sha256.slice(0, 12)}…`}`,
      ),
    ),
    '',
    `Server: ${formatServer(server)}`,
    ...(hasEditedArguments ? [] : [`Digest: ${formatDigest(subjectDigest)}`]),
    `Your key: ${keyId.slice(0, 12)}…`,
    ...(Math.abs(clockOffset) > MAX_CLOCK_OFFSET_MS
      ? [
          `This device’s clock is ${Math.round(Math.abs(clockOffset) / 60_000)} minutes ${clockOffset > 0 ? 'behind' : 'ahead of'} the server’s; the server’s time is signed.`,
        ]
      : []),
  ];
  if (!hasEditedArguments)
    return {
      title: 'Sign your vote',
      message: decisionTexts.message,
      detail: lines.join('\n'),
      confirmLabel: decisionTexts.confirm,
    };
  return {
    title: 'Your vote',
    message: 'Propose these arguments? An edit isn’t signed; another person must approve it.',
    detail: lines.join('\n'),
    confirmLabel: 'Propose',
  };
}

/** Returns the title that the digest covers, if the BPMN model defines one. */
function getTitle({ title, subject }: Approval): string {
  return (subject.kind === 'user_task' ? subject.title : undefined) ?? title;
}

function describeEffect(approval: Approval): string {
  const { workflowId, subject, quorum } = approval;
  const missingVotes = quorum.required - quorum.approvals - 1;
  const condition = missingVotes > 0 ? `, once you and ${missingVotes} more approve` : '';
  if (subject.kind !== 'tool_call')
    return `Continue the ${toDialogText(workflowId, 60)} run after “${toDialogText(getTitle(approval), 80)}”${condition}.`;
  return `Call ${toDialogText(subject.tool, 60)}${condition}. ${describeReversibility(subject)}`;
}

/** Formats the first half of a digest, which is long enough that no other subject with the same digits can be found. */
function formatDigest(digest: string): string {
  return `${(
    digest
      .replace(/^sha256:/, '')
      .slice(0, 32)
      .match(/.{4}/g) ?? []
  ).join(' ')} …`;
}

function joinFirst(entries: readonly string[], maxEntries: number, separator: string): string {
  return entries.length <= maxEntries
    ? entries.join(separator)
    : `${entries.slice(0, maxEntries).join(separator)}${separator}${entries.length - maxEntries} more`;
}
