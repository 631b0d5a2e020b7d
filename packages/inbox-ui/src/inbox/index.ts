/** Components of the inbox. They receive data and callbacks, but no addresses or tokens. */
export { isSendingAnswer } from './answer-draft.js';
export { AnswerSection } from './answer-section.js';
export { ReassignDialog, DelegateDialog } from './assign-dialogs.js';
export { findUnavailableUsers } from './find-unavailable-users.js';
export { BulkBar } from './bulk-bar.js';
export { findBulkVoteBlocker } from './find-bulk-vote-blocker.js';
export { DecisionActions } from './decision-actions.js';
export { describeOtherVoters } from './decision-status.js';
export { DecisionForm } from './decision-form.js';
export { PendingVotes, type VoteClock } from './pending-votes.js';
export { DecisionView } from './decision-view.js';
export {
  findStoredDraft,
  hasContent,
  isDraftFor,
  type DraftHost,
  type StoredDraft,
  type StaleReason,
} from './draft-host.js';
export { getEvidenceKey, getSubjectKey } from './decision-requirements.js';
export { getOpenedKeys, toShownEvidence, type SeenEvidenceByKey, type SeenEvidence } from './seen-evidence.js';
export { findNextToDecide } from './find-next-to-decide.js';
export { describeRequest } from './describe-request.js';
export { getMaxShownBytes, type EvidenceSource } from './evidence-source.js';
export { toFormAction, buildFormDraft, toFormDraft, type FormAction, type FormDraft } from './form-draft.js';
export {
  InboxHostContext,
  useInboxHost,
  type InboxHost,
  type UnconfirmedVotes,
  type SnoozeHost,
} from './inbox-host.js';
export { InboxList, type InboxListHandle } from './inbox-list.js';
export { DueDate } from './row-parts.js';
export { getItemId, isQuestion, type DisplayedItem, type ListedItem } from './listed-item.js';
export { findListToContinue } from './interleave-lists.js';
export { getQuestionHeading, getQuestionSource } from './question-heading.js';
export { INBOX_SECTIONS, buildInboxRows, type InboxSection, type InboxSectionId } from './inbox-sections.js';
export { INBOX_KEYS, SNOOZE_ACTIONS } from './inbox-keys.js';
export { canVote, explainUnavailableDecision, needsSigningKey, opensSigningDialog } from './vote-permissions.js';
export { toOneLine } from '../ui/to-one-line.js';
export { SnoozeDialog } from './snooze-dialog.js';
export { formatSnooze } from './snooze-times.js';
export { PendingVotesBar } from './pending-votes-bar.js';
export {
  canStillCount,
  type VotedApproval,
  type DecisionDraft,
  type UnconfirmedVote,
  type PendingVote,
} from './pending-vote.js';
