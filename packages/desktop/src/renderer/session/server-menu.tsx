import { Button, Menu, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { leaveSession, useShortcuts } from '@countersign/inbox-ui';
import { IconCheck, IconChevronDown, IconPlus, IconTrash } from '@tabler/icons-react';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';
import type { DesktopState } from '../../common/state.js';
import { AddServerForm } from './add-server-form.js';

/** Menu with the active server and the other servers. */
export function ServerMenu({ state: { servers, activeServerId } }: { readonly state: DesktopState }) {
  const [isAddServerOpen, { open, close }] = useDisclosure(false);
  useShortcuts([{ action: 'server.add', run: open }]);
  const active = servers.find(({ serverId }) => serverId === activeServerId);
  return (
    <>
      <Menu position="bottom-start" width={280} shadow="md">
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-md"
            rightSection={<IconChevronDown size={14} aria-hidden />}
            aria-label={texts.serverMenu(active?.name ?? '–')}
          >
            {active?.name ?? '–'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{texts.servers}</Menu.Label>
          {servers.map(({ serverId, name }) => (
            <Menu.Item
              key={serverId}
              leftSection={
                serverId === activeServerId ? <IconCheck size={16} aria-hidden /> : <span className="cd-no-icon" />
              }
              aria-current={serverId === activeServerId}
              onClick={() => serverId !== activeServerId && leaveSession(() => void bridge.selectServer({ serverId }))}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
            {texts.addServer}
          </Menu.Item>
          {active !== undefined && (
            <Menu.Item
              leftSection={<IconTrash size={16} color="var(--mantine-color-error)" aria-hidden />}
              onClick={() => leaveSession(() => void bridge.removeServer({ serverId: active.serverId }))}
            >
              {texts.removeServer}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isAddServerOpen} onClose={close} title={texts.addServer}>
        <AddServerForm onAdded={close} />
      </Modal>
    </>
  );
}
