import { Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useEffect, useSyncExternalStore } from 'react';
import { statusMessages } from './status-messages.js';
import './status-line.css';

const DISPLAY_MS = 4_000;

/**
 * Shows the last success message for some seconds, in a line of its own instead of above the page. Screen readers
 * announce it. The element is always in the document, because changes of a new element are not announced.
 */
export function StatusLine() {
  const message = useSyncExternalStore(statusMessages.subscribe, statusMessages.getCurrent);
  useEffect(() => {
    if (message === undefined) return undefined;
    const timer = setTimeout(() => statusMessages.hide(message), DISPLAY_MS);
    return () => clearTimeout(timer);
  }, [message]);
  // A message belongs to the session in which it was shown.
  useEffect(
    () => () => {
      const last = statusMessages.getCurrent();
      if (last !== undefined) statusMessages.hide(last);
    },
    [],
  );
  return (
    <div role="status" className="cs-status-line">
      {message !== undefined && (
        <Text key={message.id} component="div" size="sm" className="cs-status-message" title={message.text}>
          <IconCheck size={16} aria-hidden color="var(--cs-done)" />
          <span>{message.text}</span>
        </Text>
      )}
    </div>
  );
}
