/** The parts of the inbox that the web UI and the desktop client share: data and callbacks in, no addresses and no tokens. */
export { AnswerForm } from './answer-form.js';
export { ReassignDialog, DelegateDialog, type Reassignment } from './assign-dialogs.js';
export { BulkBar } from './bulk-bar.js';
export { whyNotTogether } from './bulk-choice.js';
export { BulkDialog } from './bulk-dialog.js';
export { DecisionActions } from './decision-actions.js';
export { DecisionForm } from './decision-form.js';
export { DecisionOutbox, type OutboxClock, type OutboxOptions } from './decision-outbox.js';
export { DecisionView } from './decision-view.js';
export { draftBefore, hasWords, isAbout, type DraftHost, type KeptDraft, type WhyLeft } from './draft-host.js';
export { evidenceKey } from './demands.js';
export { effectOfApproval } from './effect-of-approval.js';
export { MAX_SHOWN_BYTES, type EvidenceContent, type EvidenceSource } from './evidence-source.js';
export { formFor, formOf, type FormAct, type FormDraft } from './form-draft.js';
export {
  InboxHostContext,
  useInboxHost,
  type InboxHost,
  type LostVotes,
  type PinnedEvidence,
  type Signing,
  type SnoozeHost,
} from './inbox-host.js';
export { InboxList, type InboxListHandle } from './inbox-list.js';
export { Due } from './inbox-row.js';
export { INBOX_SECTIONS, inboxRows, type InboxRow, type InboxSection, type InboxSectionId } from './inbox-sections.js';
export { INBOX_KEYS, SNOOZE_ACTIONS } from './inbox-shortcuts.js';
export { asksToSign, lacksKey, mayVote } from './may-vote.js';
export { oneLine } from '../ui/one-line.js';
export { SnoozeDialog } from './snooze-dialog.js';
export { formatSnooze } from './snooze-times.js';
export { OutboxBar } from './outbox-bar.js';
export type { Decided, DecisionDraft, LostVote, OutboxEntry } from './outbox-entry.js';
