import type { KeyAction, KeyGroup } from '../keys/key-actions.js';
import { texts } from '../texts/index.js';

const t = texts.inboxKeys;

/** Key actions of an inbox. */
export const INBOX_KEYS: KeyGroup = Object.freeze({
  title: t.group,
  scope: 'approvals',
  actions: [
    { id: 'inbox.approve', label: t.approve, keys: 'a' },
    { id: 'inbox.reject', label: t.reject, keys: 'r' },
    { id: 'inbox.requestChanges', label: t.requestChanges, keys: 'c' },
    { id: 'inbox.evidence', label: t.evidence, keys: 'e' },
    { id: 'inbox.comment', label: t.comment, keys: 'm' },
    { id: 'inbox.next', label: t.next, keys: 'j' },
    { id: 'inbox.previous', label: t.previous, keys: 'k' },
    { id: 'inbox.open', label: t.open, keys: 'Enter', fixed: true },
    { id: 'inbox.scrollDown', label: t.scrollDown, keys: 'PageDown', fixed: true },
    { id: 'inbox.scrollUp', label: t.scrollUp, keys: 'PageUp', fixed: true },
    { id: 'inbox.select', label: t.select, keys: 'x' },
    { id: 'inbox.search', label: t.search, keys: '/' },
    { id: 'inbox.mine', label: t.mine, keys: '1' },
    { id: 'inbox.others', label: t.others, keys: '2' },
    { id: 'inbox.decided', label: t.decided, keys: '3' },
  ],
} as const);

/** Additional actions if approvals can be snoozed. */
export const SNOOZE_ACTIONS: readonly KeyAction[] = Object.freeze([
  { id: 'inbox.snooze', label: t.snooze, keys: 'h' },
  { id: 'inbox.snoozed', label: t.snoozed, keys: '4' },
]);
