import { ActionIcon, Avatar, Menu, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBeach, IconKeyboard, IconLogout, IconApi, IconSettings, IconUser } from '@tabler/icons-react';
import { AbsenceDialog } from '../absence/absence-dialog.js';
import { useMayBeAway } from '../absence/use-my-absence.js';
import { useKeysDialogs } from '../keys/keys-provider.js';
import { useSession } from '../session/session.js';
import { texts } from '../texts/index.js';
import { TIME_MODES, useTimeMode, type TimeMode } from '../time/time-mode.js';
import { MenuChoice } from '../ui/menu-choice.js';
import { BASE_URL } from './base-url.js';

/** Who is signed in, how things look, and the way out. */
export function UserMenu() {
  const { me, signOut } = useSession();
  const { mode, setMode } = useTimeMode();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { openHelp, openSettings } = useKeysDialogs();
  const mayBeAway = useMayBeAway();
  const [absence, { open: openAbsence, close: closeAbsence }] = useDisclosure(false);
  const name = me.name ?? me.subject;
  const label = texts.app.signedInAs(name, me.role === null ? '–' : texts.roles[me.role]);
  return (
    <>
      <Menu position="bottom-end" width={280} shadow="md" closeOnItemClick>
        <Menu.Target>
          <ActionIcon variant="subtle" size="lg" radius="xl" aria-label={label}>
            <Avatar size={30} radius="xl" color="ink" aria-hidden>
              <IconUser size={18} />
            </Avatar>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{label}</Menu.Label>
          <MenuChoice label={texts.app.appearance} value={colorScheme} onChange={setColorScheme} options={[{ value: 'light', label: texts.app.theme.light }, { value: 'dark', label: texts.app.theme.dark }, { value: 'auto', label: texts.app.theme.auto }]} />
          <MenuChoice<TimeMode> label={texts.app.times} value={mode} onChange={setMode} options={TIME_MODES.map((value) => ({ value, label: texts.time[value] }))} />
          <Menu.Divider />
          {mayBeAway && (
            <Menu.Item leftSection={<IconBeach size={16} aria-hidden />} onClick={openAbsence}>
              {texts.absence.title}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={openHelp}>
            {texts.app.showKeys}
          </Menu.Item>
          <Menu.Item leftSection={<IconSettings size={16} aria-hidden />} onClick={openSettings}>
            {texts.keys.open}
          </Menu.Item>
          <Menu.Item component="a" href={`${BASE_URL}/api/docs`} leftSection={<IconApi size={16} aria-hidden />}>
            {texts.app.apiDocs}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
            {texts.app.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <AbsenceDialog opened={absence} onClose={closeAbsence} />
    </>
  );
}
