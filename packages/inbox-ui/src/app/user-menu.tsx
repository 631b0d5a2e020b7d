import { ActionIcon, Avatar, Menu, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBeach, IconKeyboard, IconLogout, IconSettings, IconUser } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useCanSetAbsence } from '../absence/use-my-absence.js';
import { AFTER_VOTE, loadAfterVote, storeAfterVote, type AfterVote } from '../approvals/after-vote.js';
import { leaveSession } from '../approvals/leave-session.js';
import { useKeysDialogs } from '../keys/keys-provider.js';
import { describeUser, getUserName } from '../session/describe-user.js';
import { useHasRole, useSession } from '../session/session.js';
import { useSwitchUser } from '../session/use-switch-user.js';
import { texts } from '../texts/index.js';
import { TIME_MODES, useTimeMode, type TimeMode } from '../time/time-mode.js';
import { lazyDialog } from '../ui/lazy-dialog.js';
import { MenuChoice } from '../ui/menu-choice.js';

const AbsenceDialog = lazyDialog(async () => (await import('../absence/absence-dialog.js')).AbsenceDialog);

interface UserMenuProps {
  /** Notice about the session. */
  readonly notice?: ReactNode;
  /** Additional entries of the application: the web UI or the desktop inbox. */
  readonly children: ReactNode;
}

/** Menu with the signed-in user, display settings and sign-out. */
export function UserMenu({ notice, children }: UserMenuProps) {
  const { me, signOut } = useSession();
  const { mode, setMode } = useTimeMode();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { openHelp, openSettings } = useKeysDialogs();
  const canSetAbsence = useCanSetAbsence();
  const isApprover = useHasRole('approver');
  const [afterVote, setAfterVote] = useState(loadAfterVote);
  const changeAfterVote = (choice: AfterVote): void => {
    storeAfterVote(choice);
    setAfterVote(choice);
  };
  const [isAbsenceOpen, { open: openAbsence, close: closeAbsence }] = useDisclosure(false);
  const name = me.name ?? me.subject;
  const label = texts.app.signedInAs(name, me.role === null ? '–' : texts.roles[me.role]);
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
        <Menu.Dropdown className="cs-user-menu">
          <Menu.Label>{label}</Menu.Label>
          <MenuChoice
            label={texts.app.appearance}
            value={colorScheme}
            onChange={setColorScheme}
            options={(['light', 'dark', 'auto'] as const).map((value) => ({ value, label: texts.app.theme[value] }))}
          />
          <MenuChoice<TimeMode>
            label={texts.app.times}
            value={mode}
            onChange={setMode}
            options={TIME_MODES.map((value) => ({ value, label: texts.time[value] }))}
          />
          {isApprover && (
            <MenuChoice<AfterVote>
              label={texts.app.afterVote.title}
              value={afterVote}
              onChange={changeAfterVote}
              options={AFTER_VOTE.map((value) => ({ value, label: texts.app.afterVote[value] }))}
            />
          )}
          <Menu.Divider />
          {notice}
          <DevelopmentUserItems />
          {canSetAbsence && (
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
          {children}
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => leaveSession(signOut)}>
            {texts.app.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <AbsenceDialog opened={isAbsenceOpen} onClose={closeAbsence} />
    </>
  );
}

/** Entries that switch to another user of a development server. */
function DevelopmentUserItems() {
  const { me, development } = useSession();
  const switchUser = useSwitchUser();
  const otherUsers = development?.users.filter(({ subject }) => subject !== me.subject) ?? [];
  if (otherUsers.length === 0) return null;
  return (
    <>
      <div role="group" aria-label={texts.session.switchTo}>
        <Menu.Label>{texts.session.switchTo}</Menu.Label>
        {otherUsers.map((user) => (
          <Menu.Item
            key={user.subject}
            leftSection={<IconUser size={16} aria-hidden />}
            onClick={() => switchUser(user)}
          >
            {texts.app.signedInAs(getUserName(user), describeUser(user))}
          </Menu.Item>
        ))}
      </div>
      <Menu.Divider />
    </>
  );
}
