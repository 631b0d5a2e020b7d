import type { Approval, ShownEvidence } from '@countersign/contract';
import { evidenceKey } from './decision-requirements.js';

/** How much of a piece of evidence the user has seen. */
export interface SeenEvidence {
  /** Share that was in view, from the start: 0 to 1. */
  readonly extent: number;
  /** Whether the share is large enough to count as opened. */
  readonly enough: boolean;
  readonly downloaded: boolean;
}

/** Seen evidence by `evidenceKey`. */
export type SeenEvidenceByKey = ReadonlyMap<string, SeenEvidence>;

/**
 * Evidence up to this height, in CSS pixels (about 40 lines), counts as opened once its end was in view. Taller
 * evidence counts once this height was in view.
 */
export const MIN_OPENED_PX = 800;

const NOT_SEEN: SeenEvidence = Object.freeze({ extent: 0, enough: false, downloaded: false });

/** The visible part of an element, in CSS pixels from its top. */
export interface VisiblePart {
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
}

/**
 * Returns the share that has been in view, from the start. A skipped part was not seen, and neither is what follows it.
 */
export function growExtent(before: number, { top, bottom, height }: VisiblePart): number {
  if (height <= 0 || bottom <= top) return before;
  // Scaled pages lose half a pixel.
  if (top > before * height + 1) return before;
  const after = bottom >= height - 1 ? 1 : bottom / height;
  return Math.max(before, after);
}

/**
 * Returns whether the seen share counts as opened.
 *
 * @param height total height, in CSS pixels
 */
export function countsAsOpened(extent: number, height: number): boolean {
  return extent >= 1 || extent * height >= MIN_OPENED_PX;
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
    extent: Math.max(before.extent, update.extent ?? 0),
    enough: before.enough || update.enough === true || update.downloaded === true,
    downloaded: before.downloaded || update.downloaded === true,
  };
  const isSame =
    known?.extent === after.extent && known.enough === after.enough && known.downloaded === after.downloaded;
  return isSame ? seen : new Map(seen).set(key, after);
}

/** Returns the keys of evidence that counts as opened. */
export function openedKeys(seen: SeenEvidenceByKey): ReadonlySet<string> {
  return new Set([...seen].flatMap(([key, { enough }]) => (enough ? [key] : [])));
}

/** Returns whole percent; 100 only if the end was displayed. */
export function toPercent({ extent }: SeenEvidence): number {
  return extent >= 1 ? 100 : Math.min(99, Math.floor(extent * 100));
}

/** Returns the evidence record of a decision; `undefined` if the subject has no evidence. */
export function toShownEvidence(
  { subject }: Pick<Approval, 'subject'>,
  seen: SeenEvidenceByKey,
): ShownEvidence[] | undefined {
  if (subject.evidence.length === 0) return undefined;
  return subject.evidence.flatMap((each) => {
    const found = seen.get(evidenceKey(each));
    if (found === undefined || each.sha256 === null) return [];
    return [{ name: each.name, sha256: each.sha256, percent: toPercent(found), downloaded: found.downloaded }];
  });
}
