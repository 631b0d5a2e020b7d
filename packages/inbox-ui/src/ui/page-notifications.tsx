import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { findFreePosition, PLACES, type Area, type NotificationPosition } from './free-position.js';
import './page-notifications.css';

const ROOT = '.mantine-Notifications-root[data-position="top-center"]';
/** Width of the focus outline, px. */
const OUTLINE = 4;

/** Transient notifications: at the top, away from the decision buttons, and never over the focused element. */
export function PageNotifications() {
  useEffect(keepClear, []);
  return <Notifications position="top-center" autoClose={6_000} limit={3} />;
}

/** Checks each frame while there is a notification: the focused element may also be scrolled or moved beneath it. */
function keepClear(): () => void {
  let frame: number | undefined;
  const look = (): void => {
    const root = document.querySelector<HTMLElement>(ROOT);
    frame = undefined;
    if (root === null || root.getBoundingClientRect().height === 0) {
      if (root !== null) delete root.dataset['place'];
      return;
    }
    const { width, height } = root.getBoundingClientRect();
    const focused = focusedArea(root);
    const now = PLACES.find((place) => place === root.dataset['place']) ?? 'top-center';
    const place: NotificationPosition =
      focused === undefined
        ? now
        : findFreePosition({ width, height }, { width: innerWidth, height: innerHeight }, focused, now);
    if (place !== now) root.dataset['place'] = place;
    frame = requestAnimationFrame(look);
  };
  const begin = (): void => {
    frame ??= requestAnimationFrame(look);
  };
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ target }) => target instanceof Element && target.closest(ROOT) !== null)) begin();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}

function focusedArea(root: HTMLElement): Area | undefined {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body || root.contains(activeElement)) return undefined;
  const { left, top, right, bottom } = activeElement.getBoundingClientRect();
  return { left: left - OUTLINE, top: top - OUTLINE, right: right + OUTLINE, bottom: bottom + OUTLINE };
}
