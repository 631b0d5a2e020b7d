import type { Approval, ShownEvidence } from '@countersign/contract';
import { getEvidenceKey } from './decision-requirements.js';
import type { ViewedLayouts } from './viewed-layouts.js';

/** A view of evidence. Positions in one view are not comparable with positions in the other. */
export type EvidenceView = 'plain' | 'formatted';

/** Record of how a user has viewed a piece of evidence. */
export interface SeenEvidence {
  /** Share that was in view, from the top, in the view of which most was seen: 0 to 1. */
  readonly viewedShare: number;
  /** How much of each view was seen, and in which layouts. */
  readonly layouts: Readonly<Partial<Record<EvidenceView, ViewedLayouts>>>;
  /** Whether the evidence counts as opened: enough of it was in view, or it was downloaded. */
  readonly isOpened: boolean;
  readonly downloaded: boolean;
}

/** Seen evidence by its key (`getEvidenceKey`). */
export type SeenEvidenceByKey = ReadonlyMap<string, SeenEvidence>;

/**
 * Evidence up to this height, in CSS pixels (about 40 lines), counts as opened once its end was in view. Taller
 * evidence counts once this height was in view.
 */
export const MIN_OPENED_PX = 800;

const NOT_SEEN: SeenEvidence = Object.freeze({ viewedShare: 0, layouts: {}, isOpened: false, downloaded: false });

/** The visible part of an element, in CSS pixels from its top. */
export interface VisiblePart {
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
}

/**
 * Returns the share that has been in view, from the top. A part that was skipped and everything below it do not count.
 */
export function growViewedShare(before: number, { top, bottom, height }: VisiblePart): number {
  if (height <= 0 || bottom <= top) return before;
  // Tolerates rounding errors on scaled pages.
  if (top > before * height + 1) return before;
  const after = bottom >= height - 1 ? 1 : bottom / height;
  return Math.max(before, after);
}

/**
 * Returns whether the seen share counts as opened.
 *
 * @param height total height, in CSS pixels
 */
export function countsAsOpened(viewedShare: number, height: number): boolean {
  return viewedShare >= 1 || viewedShare * height >= MIN_OPENED_PX;
}

/** Returns the share that counts while the right edge of the content has not been in view: less than all of it. */
export function limitShare(viewedShare: number): number {
  return Math.min(viewedShare, 0.99);
}

/**
 * Adds seen evidence.
 *
 * @returns the same map if nothing changes
 */
export function addSeenEvidence(
  seen: SeenEvidenceByKey,
  key: string,
  update: Partial<SeenEvidence>,
): SeenEvidenceByKey {
  const known = seen.get(key);
  const before = known ?? NOT_SEEN;
  const after: SeenEvidence = {
    viewedShare: Math.max(before.viewedShare, update.viewedShare ?? 0),
    layouts: { ...before.layouts, ...update.layouts },
    isOpened: before.isOpened || update.isOpened === true || update.downloaded === true,
    downloaded: before.downloaded || update.downloaded === true,
  };
  const isSame =
    known?.viewedShare === after.viewedShare &&
    known.layouts.plain === after.layouts.plain &&
    known.layouts.formatted === after.layouts.formatted &&
    known.isOpened === after.isOpened &&
    known.downloaded === after.downloaded;
  return isSame ? seen : new Map(seen).set(key, after);
}

/** Returns the keys of evidence that counts as opened. */
export function getOpenedKeys(seen: SeenEvidenceByKey): ReadonlySet<string> {
  return new Set([...seen].flatMap(([key, { isOpened }]) => (isOpened ? [key] : [])));
}

/** Returns the viewed share in whole percent; 100 only if the end was in view. */
export function toPercent({ viewedShare }: Pick<SeenEvidence, 'viewedShare'>): number {
  return viewedShare >= 1 ? 100 : Math.min(99, Math.floor(viewedShare * 100));
}

/**
 * Returns the evidence that was shown before a decision, for its request; `undefined` if the subject has no evidence.
 */
export function toShownEvidence(
  { subject }: Pick<Approval, 'subject'>,
  seen: SeenEvidenceByKey,
): ShownEvidence[] | undefined {
  if (subject.evidence.length === 0) return undefined;
  return subject.evidence.flatMap((each) => {
    const found = seen.get(getEvidenceKey(each));
    if (found === undefined || each.sha256 === null) return [];
    return [{ name: each.name, sha256: each.sha256, percent: toPercent(found), downloaded: found.downloaded }];
  });
}
