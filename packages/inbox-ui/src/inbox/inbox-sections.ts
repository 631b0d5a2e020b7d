import type { RiskLevel } from '@countersign/contract';
import { getItemId, isQuestion, type ListedItem } from './listed-item.js';

export const INBOX_SECTIONS = Object.freeze(['mine', 'snoozed', 'others', 'decided'] as const);
export type InboxSectionId = (typeof INBOX_SECTIONS)[number];

/** A section of the inbox with the approvals and questions that are loaded so far. */
export interface InboxSection {
  readonly id: InboxSectionId;
  readonly label: string;
  readonly items: readonly ListedItem[];
  readonly hasMore: boolean;
  readonly loading: boolean;
  /** Text displayed if the section is empty. */
  readonly emptyText: string;
  readonly error?: unknown;
  /** Loads what is missing because of the error. */
  readonly onRetry?: () => void;
  /** Whether items are missing because of the error. */
  readonly isIncomplete?: boolean;
}

/** The rows of the list, from top to bottom. */
export type InboxRow =
  | { readonly kind: 'section'; readonly key: string; readonly section: InboxSection; readonly open: boolean }
  | { readonly kind: 'item'; readonly key: string; readonly section: InboxSectionId; readonly item: ListedItem }
  /** A text in the place of items that are missing. */
  | { readonly kind: 'empty'; readonly key: string; readonly section: InboxSection };

const RANKS: Readonly<Record<RiskLevel, number>> = { critical: 3, high: 2, medium: 1, low: 0 };

/**
 * Rank of a question, which has no risk: an agent cannot continue without the answer, so it comes before approvals with
 * a low risk, and a high risk comes first.
 */
const QUESTION_RANK = RANKS.medium;

/** Compares by risk (highest first), due date (items without one last) and time of request (oldest first). */
export function compareByUrgency(one: ListedItem, other: ListedItem): number {
  return (
    getRank(other) - getRank(one) ||
    compare(one.dueAt ?? '9', other.dueAt ?? '9') ||
    compare(getRequestTime(one), getRequestTime(other)) ||
    compare(getItemId(one), getItemId(other))
  );
}

function getRank(item: ListedItem): number {
  return isQuestion(item) ? QUESTION_RANK : RANKS[item.riskLevel];
}

function getRequestTime(item: ListedItem): string {
  return isQuestion(item) ? item.askedAt : item.requestedAt;
}

function getResolutionTime(item: ListedItem): string {
  return (isQuestion(item) ? item.closedAt : item.resolvedAt) ?? '';
}

/** Compares by decision time, newest first. */
function compareByDecisionTime(one: ListedItem, other: ListedItem): number {
  return compare(getResolutionTime(other), getResolutionTime(one)) || compare(getItemId(other), getItemId(one));
}

/**
 * Returns the rows of the inbox. Sections load separately, so an approval may briefly be in two of them: it is listed
 * once, in the section that matches its latest state. Questions are only in the section of the user.
 */
export function buildInboxRows(sections: readonly InboxSection[], collapsed: ReadonlySet<InboxSectionId>): InboxRow[] {
  const listedIds = new Set<string>();
  return sections.flatMap((section): InboxRow[] => {
    const { id } = section;
    const items = section.items.filter((item) => {
      // Pages that shift while they load may contain an item twice.
      if (!belongsToSection(item, id, sections.length) || listedIds.has(getItemId(item))) return false;
      listedIds.add(getItemId(item));
      return true;
    });
    const open = !collapsed.has(id);
    const ordered: InboxSection = {
      ...section,
      items: items.sort(id === 'decided' ? compareByDecisionTime : compareByUrgency),
    };
    const head: InboxRow = { kind: 'section', key: id, section: ordered, open };
    if (!open) return [head];
    if (items.length === 0) return [head, { kind: 'empty', key: `${id}-empty`, section: ordered }];
    return [
      head,
      ...ordered.items.map((item): InboxRow => ({ kind: 'item', key: getItemId(item), section: id, item })),
      ...(section.isIncomplete === true
        ? [{ kind: 'empty', key: `${id}-incomplete`, section: ordered } satisfies InboxRow]
        : []),
    ];
  });
}

function belongsToSection(item: ListedItem, section: InboxSectionId, sectionCount: number): boolean {
  if (sectionCount === 1) return true;
  if (isQuestion(item)) return section === 'mine' && item.status === 'pending';
  const { status, canDecide } = item;
  if (section === 'decided') return status !== 'pending';
  return status === 'pending' && canDecide.allowed === (section !== 'others');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
