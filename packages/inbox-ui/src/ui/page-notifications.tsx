import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import {
  findFreePosition,
  NOTIFICATION_POSITIONS,
  type Area,
  type NotificationPosition,
} from './find-free-position.js';
import './page-notifications.css';

const ROOT_SELECTOR = '.mantine-Notifications-root[data-position="top-center"]';
/** Width of the focus outline with its offset, in px. */
const OUTLINE_PX = 4;

/** Transient notifications at the top, away from the decision buttons. They move if they cover the focused element. */
export function PageNotifications() {
  useEffect(keepFocusUncovered, []);
  return <Notifications position="top-center" autoClose={6_000} limit={3} />;
}

/** Checks each frame while there is a notification, because the focused element may move or be scrolled under it. */
function keepFocusUncovered(): () => void {
  let frame: number | undefined;
  const updatePosition = (): void => {
    const root = document.querySelector<HTMLElement>(ROOT_SELECTOR);
    frame = undefined;
    if (root === null || root.getBoundingClientRect().height === 0) {
      if (root !== null) delete root.dataset['place'];
      return;
    }
    const { width, height } = root.getBoundingClientRect();
    const focused = findFocusedArea(root);
    const currentPosition =
      NOTIFICATION_POSITIONS.find((position) => position === root.dataset['place']) ?? 'top-center';
    const nextPosition: NotificationPosition =
      focused === undefined
        ? currentPosition
        : findFreePosition({ width, height }, { width: innerWidth, height: innerHeight }, focused, currentPosition);
    if (nextPosition !== currentPosition) root.dataset['place'] = nextPosition;
    frame = requestAnimationFrame(updatePosition);
  };
  const scheduleUpdate = (): void => {
    frame ??= requestAnimationFrame(updatePosition);
  };
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ target }) => target instanceof Element && target.closest(ROOT_SELECTOR) !== null))
      scheduleUpdate();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}

function findFocusedArea(root: HTMLElement): Area | undefined {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body || root.contains(activeElement)) return undefined;
  const { left, top, right, bottom } = activeElement.getBoundingClientRect();
  return { left: left - OUTLINE_PX, top: top - OUTLINE_PX, right: right + OUTLINE_PX, bottom: bottom + OUTLINE_PX };
}
