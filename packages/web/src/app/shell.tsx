import { BASE_URL } from '@countersign/inbox-ui/app/base-url';
import { LiveIndicator } from '@countersign/inbox-ui/app/live-indicator';
import { UserMenu } from '@countersign/inbox-ui/app/user-menu';
import { leaveSession } from '@countersign/inbox-ui/approvals/leave-session';
import { SessionPendingVotes } from '@countersign/inbox-ui/approvals/session-pending-votes';
import { Keys } from '@countersign/inbox-ui/keys/keys-help';
import { useActionKeys, useShortcuts } from '@countersign/inbox-ui/keys/keys-provider';
import { useCommonActions } from '@countersign/inbox-ui/keys/use-common-actions';
import { PaletteButton } from '@countersign/inbox-ui/palette/palette-button';
import { useSession } from '@countersign/inbox-ui/session/session';
import { CommentNotifications } from '@countersign/inbox-ui/comments/comment-notifications';
import { KeyNotifications } from '@countersign/inbox-ui/signing-keys/key-notifications';
import { Burger, Group, Menu, NavLink, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconApi, IconLicense, IconShieldCheck } from '@tabler/icons-react';
import { Link, NavLink as RouterNavLink, Outlet, useLocation, useNavigate } from 'react-router';
import { FirstSteps } from '../first-steps/first-steps.js';
import { texts } from '../texts/index.js';
import { CommandPalette } from './command-palette.js';
import type { Destination } from './navigation.js';
import { useDestinations } from './use-destinations.js';
import { getNavigationActionId } from './web-keys.js';
import './shell.css';

/** Frame of all pages, with the navigation, the signed-in user and an indicator of whether the data is current. */
export function Shell() {
  const [isMenuOpen, { toggle, close }] = useDisclosure(false);
  const navigate = useNavigate();
  const [isPaletteOpen, { open: openPalette, close: closePalette }] = useDisclosure(false);
  const { me, signOut } = useSession();
  const destinations = useDestinations();
  useCommonActions();
  useShortcuts([
    ...destinations.map(({ to }) => ({ action: getNavigationActionId(to), run: () => void navigate(to) })),
    { action: 'app.palette', run: me.role === null ? undefined : openPalette },
    { action: 'app.signOut', run: () => leaveSession(signOut) },
  ]);
  return (
    <div className="cs-shell">
      <a className="cs-skip-link" href="#content" onClick={skipToContent}>
        {texts.app.skip}
      </a>
      <header className="cs-shell-header">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isMenuOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={texts.app.menu} />
            <UnstyledButton component={Link} to="/">
              <Group gap={8} wrap="nowrap">
                <IconShieldCheck size={24} color="var(--mantine-primary-color-filled)" aria-hidden />
                <Text fw={700}>{texts.app.name}</Text>
              </Group>
            </UnstyledButton>
          </Group>
          <Group gap="md" wrap="nowrap">
            {me.role !== null && <PaletteButton onOpen={openPalette} />}
            <LiveIndicator />
            <UserMenu>
              <Menu.Item component="a" href={`${BASE_URL}/api/docs`} leftSection={<IconApi size={16} aria-hidden />}>
                {texts.app.apiDocs}
              </Menu.Item>
              <Menu.Item
                component="a"
                href={`${BASE_URL}/third-party-notices.txt`}
                target="_blank"
                rel="noopener noreferrer"
                leftSection={<IconLicense size={16} aria-hidden />}
              >
                {texts.app.thirdPartyNotices}
              </Menu.Item>
            </UserMenu>
          </Group>
        </Group>
      </header>
      <nav className="cs-shell-navigation" aria-label={texts.app.navigation} data-shut={isMenuOpen ? undefined : true}>
        {destinations.map((destination) => (
          <NavigationEntry key={destination.to} destination={destination} onClick={close} />
        ))}
      </nav>
      <main id="content" className="cs-shell-content" tabIndex={-1}>
        <FirstSteps />
        <Outlet />
      </main>
      <SessionPendingVotes />
      <KeyNotifications />
      <CommentNotifications />
      <CommandPalette opened={isPaletteOpen} onClose={closePalette} />
    </div>
  );
}

function NavigationEntry({
  destination: { to, label, icon: Icon },
  onClick,
}: {
  readonly destination: Destination;
  onClick(): void;
}) {
  const { pathname } = useLocation();
  const keys = useActionKeys(getNavigationActionId(to));
  return (
    <Tooltip disabled={keys === undefined} label={<Keys keys={keys ?? ''} />} position="right" openDelay={600}>
      <NavLink
        component={RouterNavLink}
        to={to}
        label={label}
        leftSection={<Icon size={18} aria-hidden />}
        active={pathname.startsWith(to)}
        onClick={onClick}
        variant="light"
        style={{ borderRadius: 8 }}
      />
    </Tooltip>
  );
}

/** Moves the focus in code, because the `<base>` of the page would resolve `#content` to another URL. */
function skipToContent(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
