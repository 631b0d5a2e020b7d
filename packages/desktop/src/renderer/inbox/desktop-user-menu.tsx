import { Menu, Text } from '@mantine/core';
import { UserMenu } from '@countersign/inbox-ui';
import { IconBell } from '@tabler/icons-react';
import { texts } from '../app/texts.js';
import { usePresenceDialog } from '../presence/presence-context.js';
import { SigningMenuItem } from '../signing/signing-menu-item.js';

/**
 * The user menu of the web UI with the entries of the desktop client.
 *
 * @param isSessionPersistent whether the session is kept after the application exits
 */
export function DesktopUserMenu({ isSessionPersistent }: { readonly isSessionPersistent: boolean }) {
  const openNotificationSettings = usePresenceDialog();
  const notice = isSessionPersistent ? undefined : (
    <Text size="xs" c="dimmed" px="sm" py={4}>
      {texts.notKept}
    </Text>
  );
  return (
    <UserMenu notice={notice}>
      <SigningMenuItem />
      <Menu.Item leftSection={<IconBell size={16} aria-hidden />} onClick={openNotificationSettings}>
        {texts.presence.title}
      </Menu.Item>
    </UserMenu>
  );
}
