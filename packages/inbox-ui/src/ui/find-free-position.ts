export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const NOTIFICATION_POSITIONS = Object.freeze([
  'top-center',
  'top-right',
  'top-left',
  'bottom-right',
  'bottom-left',
] as const);
export type NotificationPosition = (typeof NOTIFICATION_POSITIONS)[number];

/** Distance from the window's edges, in px. */
const MARGIN = 16;

/**
 * Returns the position in which notifications do not cover the focused element (WCAG 2.2, 2.4.11) or, in a window too
 * small for that, cover the least of it. Keeps the current position if possible.
 *
 * @param size total size of the notifications
 */
export function findFreePosition(
  size: { readonly width: number; readonly height: number },
  window: { readonly width: number; readonly height: number },
  focused: Area,
  currentPosition: NotificationPosition,
): NotificationPosition {
  const overlap = (position: NotificationPosition): number => {
    const left = position.endsWith('left')
      ? MARGIN
      : position.endsWith('right')
        ? window.width - MARGIN - size.width
        : (window.width - size.width) / 2;
    const top = position.startsWith('top') ? MARGIN : window.height - MARGIN - size.height;
    const [width, height] = [
      Math.min(left + size.width, focused.right) - Math.max(left, focused.left),
      Math.min(top + size.height, focused.bottom) - Math.max(top, focused.top),
    ];
    return Math.max(0, width) * Math.max(0, height);
  };
  let best = currentPosition;
  for (const position of NOTIFICATION_POSITIONS) if (overlap(position) < overlap(best)) best = position;
  return best;
}
