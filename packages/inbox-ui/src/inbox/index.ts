/** Components of the inbox: they receive data and callbacks, no addresses and no tokens. */
export { AnswerForm } from './answer-form.js';
export { ReassignDialog, DelegateDialog } from './assign-dialogs.js';
export { BulkBar } from './bulk-bar.js';
export { whyNotTogether } from './bulk-choice.js';
export { BulkVoteDialog } from './bulk-vote-dialog.js';
export { DecisionActions } from './decision-actions.js';
export { DecisionForm } from './decision-form.js';
export { PendingVotes, type OutboxClock } from './pending-votes.js';
export { DecisionView } from './decision-view.js';
export { draftBefore, hasWords, isAbout, type DraftHost, type KeptDraft, type StaleReason } from './draft-host.js';
export { evidenceKey } from './decision-requirements.js';
export { openedKeys, shownWith, type SeenByKey, type SeenEvidence } from './seen-evidence.js';
export { effectOfApproval } from './effect-of-approval.js';
export { MAX_SHOWN_BYTES, type EvidenceSource } from './evidence-source.js';
export { actOf, formFor, formOf, type FormAct, type FormDraft } from './form-draft.js';
export {
  InboxHostContext,
  useInboxHost,
  type InboxHost,
  type UnconfirmedVotes,
  type SnoozeHost,
} from './inbox-host.js';
export { InboxList, type InboxListHandle } from './inbox-list.js';
export { Due } from './inbox-row.js';
export { INBOX_SECTIONS, inboxRows, type InboxSection, type InboxSectionId } from './inbox-sections.js';
export { INBOX_KEYS, SNOOZE_ACTIONS } from './inbox-shortcuts.js';
export { opensSigningDialog, needsSigningKey, canVote } from './vote-permissions.js';
export { oneLine } from '../ui/one-line.js';
export { SnoozeDialog } from './snooze-dialog.js';
export { formatSnooze } from './snooze-times.js';
export { PendingVotesBar } from './pending-votes-bar.js';
export {
  isOnItsWay,
  type Decided,
  type DecisionDraft,
  type UnconfirmedVote,
  type PendingVote,
} from './pending-vote.js';
