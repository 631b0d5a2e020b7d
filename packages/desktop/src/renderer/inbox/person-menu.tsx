import { ActionIcon, Avatar, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Me } from '@countersign/contract';
import { AbsenceDialog, MenuChoice, texts as shared, TIME_MODES, useKeysDialogs, useMayBeAway, useTimeMode, type TimeMode } from '@countersign/web/shared';
import { IconBeach, IconBell, IconKeyboard, IconLogout, IconSettings, IconUser } from '@tabler/icons-react';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';
import { usePresenceDialog } from '../presence/presence-context.js';
import { SigningMenuItem } from '../signing/signing-menu-item.js';

/** Who is signed in, how things look, and the way out. */
export function PersonMenu({ me, kept }: { readonly me: Me; readonly kept: boolean }) {
  const { mode, setMode } = useTimeMode();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { openHelp, openSettings } = useKeysDialogs();
  const openPresence = usePresenceDialog();
  const mayBeAway = useMayBeAway();
  const [away, absence] = useDisclosure(false);
  const label = shared.app.signedInAs(me.name ?? me.subject, me.role === null ? '–' : shared.roles[me.role]);
  return (
    <>
      <Menu position="bottom-end" width={300} shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" size="lg" radius="xl" aria-label={label}>
            <Avatar size={30} radius="xl" color="ink" aria-hidden>
              <IconUser size={18} />
            </Avatar>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{label}</Menu.Label>
          <MenuChoice label={shared.app.appearance} value={colorScheme} onChange={setColorScheme} options={(['light', 'dark', 'auto'] as const).map((value) => ({ value, label: shared.app.theme[value] }))} />
          <MenuChoice<TimeMode> label={shared.app.times} value={mode} onChange={setMode} options={TIME_MODES.map((value) => ({ value, label: shared.time[value] }))} />
          <Menu.Divider />
          {!kept && (
            <Text size="xs" c="dimmed" px="sm" py={4}>
              {texts.notKept}
            </Text>
          )}
          {mayBeAway && (
            <Menu.Item leftSection={<IconBeach size={16} aria-hidden />} onClick={absence.open}>
              {shared.absence.title}
            </Menu.Item>
          )}
          <SigningMenuItem />
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={openHelp}>
            {shared.app.showKeys}
          </Menu.Item>
          <Menu.Item leftSection={<IconSettings size={16} aria-hidden />} onClick={openSettings}>
            {shared.keys.open}
          </Menu.Item>
          <Menu.Item leftSection={<IconBell size={16} aria-hidden />} onClick={openPresence}>
            {texts.presence.title}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void bridge.signOut()}>
            {shared.app.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <AbsenceDialog opened={away} onClose={absence.close} />
    </>
  );
}
