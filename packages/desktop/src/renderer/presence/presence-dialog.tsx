import { Alert, Button, Group, Modal, Radio, Stack, Switch, Text } from '@mantine/core';
import { formatSnooze } from '@countersign/inbox-ui';
import {
  NOTIFICATION_LEVELS,
  type NotificationLevel,
  type Preferences,
  type PresenceState,
} from '../../common/presence.js';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';
import { ShortcutField } from './shortcut-field.js';

const t = texts.presence;

interface PresenceDialogProps {
  readonly state: PresenceState;
  readonly opened: boolean;
  onClose(): void;
  onState(state: PresenceState): void;
}

/** Dialog with the settings for the tray, notifications and startup. Each change applies immediately. */
export function PresenceDialog({
  state: { preferences, shortcut, tray, quietUntil },
  opened,
  onClose,
  onState,
}: PresenceDialogProps) {
  const { notifications, silent, startAtLogin, keepInTray } = preferences;
  const updatePreferences = (changes: Partial<Preferences>): void =>
    void bridge.setPreferences({ ...preferences, ...changes }).then(onState);
  return (
    <Modal opened={opened} onClose={onClose} title={t.title}>
      <Stack gap="lg">
        {quietUntil !== null && (
          <Alert color="yellow" p="xs">
            <Group justify="space-between">
              <Text size="sm">{t.mutedUntil(formatSnooze(quietUntil, Date.now()))}</Text>
              <Button size="compact-sm" variant="default" onClick={() => void bridge.setQuiet({ until: null })}>
                {t.unmute}
              </Button>
            </Group>
          </Alert>
        )}
        <Radio.Group
          label={t.notifyAbout}
          description={t.notifyHint}
          value={notifications}
          onChange={(value) => updatePreferences({ notifications: value as NotificationLevel })}
        >
          <Stack gap={8} mt={8}>
            {NOTIFICATION_LEVELS.map((value, index) => (
              <Radio
                key={value}
                value={value}
                label={t.levels[value]}
                {...(index === 0 ? { 'data-autofocus': true } : {})}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Switch
          label={t.sound}
          checked={!silent}
          disabled={notifications === 'off'}
          onChange={(event) => updatePreferences({ silent: !event.currentTarget.checked })}
        />
        <ShortcutField
          value={preferences.shortcut}
          taken={shortcut === 'taken'}
          onChange={(value) => updatePreferences({ shortcut: value })}
        />
        <Switch
          label={t.login}
          description={tray && keepInTray ? t.loginHint : tray ? undefined : t.loginHintNoTray}
          checked={startAtLogin}
          onChange={(event) => updatePreferences({ startAtLogin: event.currentTarget.checked })}
        />
        <Switch
          label={t.tray}
          description={tray ? t.trayHint : t.noTray}
          checked={keepInTray}
          disabled={!tray}
          onChange={(event) => updatePreferences({ keepInTray: event.currentTarget.checked })}
        />
      </Stack>
    </Modal>
  );
}
