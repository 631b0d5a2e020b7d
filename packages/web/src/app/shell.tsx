import { AppShell, Burger, Group, NavLink, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSearch, IconShieldCheck } from '@tabler/icons-react';
import { Link, NavLink as RouterNavLink, Outlet, useLocation, useNavigate } from 'react-router';
import { Keys } from '../keys/keys-help.js';
import { useKeysHelp, useShortcuts } from '../keys/keys-provider.js';
import { useSession } from '../session/session.js';
import { texts } from '../texts/index.js';
import { CommandPalette, openPalette } from './command-palette.js';
import { LiveIndicator } from './live-indicator.js';
import type { Destination } from './navigation.js';
import { UserMenu } from './user-menu.js';
import { useDestinations } from './use-destinations.js';

/** The frame of all pages: where one is, who one is, and whether what is shown is current. */
export function Shell() {
  const [open, { toggle, close }] = useDisclosure(false);
  const navigate = useNavigate();
  const help = useKeysHelp();
  const destinations = useDestinations();
  useShortcuts(texts.keys.everywhere, [
    ...destinations.map(({ key, label, to }) => ({ keys: `g ${key}`, label: texts.keys.goTo(label), run: () => void navigate(to) })),
    { keys: 'Mod+k', label: texts.app.search, run: openPalette },
    { keys: '?', label: texts.keys.help, run: help },
  ]);
  return (
    <AppShell header={{ height: 52 }} navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !open } }} padding="md">
      <a className="cs-skip-link" href="#content" onClick={skipToContent}>
        {texts.app.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={open} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={texts.app.menu} />
            <UnstyledButton component={Link} to="/runs">
              <Group gap={8} wrap="nowrap">
                <IconShieldCheck size={24} color="var(--mantine-primary-color-filled)" aria-hidden />
                <Text fw={700}>{texts.app.name}</Text>
              </Group>
            </UnstyledButton>
          </Group>
          <Group gap="md" wrap="nowrap">
            <PaletteButton />
            <LiveIndicator />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={texts.app.navigation} mod={{ shut: !open }}>
        {destinations.map((destination) => (
          <Entry key={destination.to} destination={destination} onClick={close} />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} h="100dvh">
        <Outlet />
      </AppShell.Main>
      <CommandPalette destinations={destinations} />
    </AppShell>
  );
}

function Entry({ destination: { to, label, icon: Icon, key }, onClick }: { readonly destination: Destination; onClick(): void }) {
  const { pathname } = useLocation();
  return (
    <Tooltip label={<Keys keys={`g ${key}`} />} position="right" openDelay={600}>
      <NavLink component={RouterNavLink} to={to} label={label} leftSection={<Icon size={18} aria-hidden />} active={pathname.startsWith(to)} onClick={onClick} variant="light" style={{ borderRadius: 8 }} />
    </Tooltip>
  );
}

function PaletteButton() {
  const { me } = useSession();
  if (me.role === null) return null;
  return (
    <UnstyledButton onClick={openPalette} visibleFrom="xs" className="cs-palette-button">
      <Group gap="xs" wrap="nowrap">
        <IconSearch size={16} aria-hidden />
        <Text size="sm">{texts.app.search}</Text>
        <Keys keys="Mod+k" />
      </Group>
    </UnstyledButton>
  );
}

/** By hand, as the `<base>` of the page would turn `#content` into another address. */
function skipToContent(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

