import {
  getItemPath,
  leaveSession,
  Palette,
  type PaletteItem,
  useActionItems,
  useInboxItems,
} from '@countersign/inbox-ui';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { DesktopState } from '../../common/state.js';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';

interface DesktopPaletteProps {
  readonly state: DesktopState;
  readonly opened: boolean;
  onClose(): void;
}

/** Palette for the screens outside the inbox, with all available actions and the other servers. */
export function DesktopPalette(props: DesktopPaletteProps) {
  return <PaletteWithServers {...props} placeholder={texts.keys.paletteHint} query={useState('')} waiting={[]} />;
}

/** Palette for the inbox, with all available actions, the other servers, and the waiting approvals and questions. */
export function InboxPalette(props: DesktopPaletteProps & { readonly canDecide: boolean }) {
  const navigate = useNavigate();
  const query = useState('');
  const waiting = useInboxItems(props.opened && props.canDecide, query[0], (item) => void navigate(getItemPath(item)));
  return <PaletteWithServers {...props} placeholder={texts.keys.inboxPaletteHint} query={query} waiting={waiting} />;
}

interface PaletteWithServersProps extends DesktopPaletteProps {
  readonly placeholder: string;
  readonly query: readonly [string, (query: string) => void];
  readonly waiting: readonly PaletteItem[];
}

function PaletteWithServers({
  state: { servers, activeServerId },
  opened,
  onClose,
  placeholder,
  query: [query, setQuery],
  waiting,
}: PaletteWithServersProps) {
  const actions = useActionItems(opened);
  const serverItems = servers
    .filter(({ serverId }) => serverId !== activeServerId)
    .map(({ serverId, name, url }) => ({
      id: serverId,
      group: texts.servers,
      label: texts.keys.switchTo(name),
      hint: url,
      run: () => leaveSession(() => void bridge.selectServer({ serverId })),
    }));
  return (
    <Palette
      opened={opened}
      onClose={() => {
        onClose();
        setQuery('');
      }}
      placeholder={placeholder}
      query={query}
      onQuery={setQuery}
      items={[...actions, ...serverItems, ...waiting]}
    />
  );
}
