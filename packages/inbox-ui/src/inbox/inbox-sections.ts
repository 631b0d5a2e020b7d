import type { InboxItem, RiskLevel } from '@countersign/contract';

export const INBOX_SECTIONS = Object.freeze(['mine', 'snoozed', 'others', 'decided'] as const);
export type InboxSectionId = (typeof INBOX_SECTIONS)[number];

/** A section of the inbox with the approvals that are loaded so far. */
export interface InboxSection {
  readonly id: InboxSectionId;
  readonly label: string;
  readonly items: readonly InboxItem[];
  readonly hasMore: boolean;
  readonly loading: boolean;
  /** Text displayed if the section is empty. */
  readonly emptyText: string;
  readonly error?: unknown;
}

/** The rows of the list, from top to bottom. */
export type InboxRow =
  | { readonly kind: 'section'; readonly key: string; readonly section: InboxSection; readonly open: boolean }
  | { readonly kind: 'item'; readonly key: string; readonly section: InboxSectionId; readonly approval: InboxItem }
  | { readonly kind: 'empty'; readonly key: string; readonly section: InboxSection };

const RANKS: Readonly<Record<RiskLevel, number>> = { critical: 3, high: 2, medium: 1, low: 0 };

/** Compares by risk (highest first), due date (approvals without one last) and time of request (oldest first). */
export function compareByUrgency(one: InboxItem, other: InboxItem): number {
  return (
    RANKS[other.riskLevel] - RANKS[one.riskLevel] ||
    compare(one.dueAt ?? '9', other.dueAt ?? '9') ||
    compare(one.requestedAt, other.requestedAt) ||
    compare(one.approvalId, other.approvalId)
  );
}

/** Compares by decision time, newest first. */
function compareByDecisionTime(one: InboxItem, other: InboxItem): number {
  return compare(other.resolvedAt ?? '', one.resolvedAt ?? '') || compare(other.approvalId, one.approvalId);
}

/**
 * Returns the rows of the inbox. Sections load separately, so an approval may briefly be in two of them: it is listed
 * once, in the section that matches its latest state.
 */
export function buildInboxRows(sections: readonly InboxSection[], collapsed: ReadonlySet<InboxSectionId>): InboxRow[] {
  const listedIds = new Set<string>();
  return sections.flatMap((section): InboxRow[] => {
    const { id } = section;
    const items = section.items.filter((approval) => {
      // Pages that shift while they load may contain an approval twice.
      if (!belongsToSection(approval, id, sections.length) || listedIds.has(approval.approvalId)) return false;
      listedIds.add(approval.approvalId);
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
      ...ordered.items.map((approval): InboxRow => ({ kind: 'item', key: approval.approvalId, section: id, approval })),
    ];
  });
}

function belongsToSection({ status, canDecide }: InboxItem, section: InboxSectionId, sectionCount: number): boolean {
  if (sectionCount === 1) return true;
  if (section === 'decided') return status !== 'pending';
  return status === 'pending' && canDecide.allowed === (section !== 'others');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
