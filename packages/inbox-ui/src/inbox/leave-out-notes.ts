import type { VisiblePart } from './seen-evidence.js';

/** An interval of an element, in CSS pixels from its top. */
export interface Span {
  readonly top: number;
  readonly bottom: number;
}

/**
 * Converts a visible part of an element to its content without notes: positions and the height no longer depend on what
 * others write between its lines. A part that shows only a note is empty.
 *
 * @param notes the notes within the element, which do not overlap
 */
export function leaveOutNotes({ top, bottom, height }: VisiblePart, notes: readonly Span[]): VisiblePart {
  return {
    top: toContentPosition(top, notes),
    bottom: toContentPosition(bottom, notes),
    height: toContentPosition(height, notes),
  };
}

/** Subtracts the heights of the notes above a position. */
function toContentPosition(position: number, notes: readonly Span[]): number {
  return notes.reduce(
    (result, { top, bottom }) => result - Math.max(0, Math.min(position, bottom) - Math.max(top, 0)),
    position,
  );
}

/**
 * Returns the position in the element of a position in its content, in CSS pixels from the top. The position of a note
 * is the top of the note.
 */
export function toElementPosition(contentPosition: number, notes: readonly Span[]): number {
  let position = contentPosition;
  for (const { top, bottom } of [...notes].sort((a, b) => a.top - b.top)) {
    if (top >= position) break;
    position += bottom - top;
  }
  return position;
}
