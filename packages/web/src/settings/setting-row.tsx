import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { Badge, Button, Group, Switch, Text, Tooltip } from '@mantine/core';
import type { JsonValue, Setting } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { toInputText } from './setting-values.js';

const t = texts.settings;
const COLORS: Readonly<Record<Setting['source'], string>> = {
  default: 'gray',
  file: 'blue',
  env: 'blue',
  override: 'orange',
};

interface SettingRowProps {
  readonly setting: Setting;
  /** Unsaved new value; `null` resets the setting, `undefined` leaves it unchanged. */
  readonly newValue: JsonValue | undefined;
  /** Reason why the server refused the new value. */
  readonly error: string | undefined;
  onEdit(): void;
  onChange(value: JsonValue | undefined): void;
}

/** Shows one setting with its description, its source and its actions. */
export function SettingRow({ setting, newValue, error, onEdit, onChange }: SettingRowProps) {
  const { key, title, description, type, isSecret, source, editable, restartRequired } = setting;
  const isSwitch = type === 'boolean' && editable && !isSecret;
  return (
    <div className="cs-setting" data-changed={newValue !== undefined} role="group" aria-label={key}>
      <div>
        <Group gap={6}>
          <Text size="sm" fw={600}>
            {title}
          </Text>
          {source !== 'default' && (
            <Badge variant="light" color={COLORS[source]} tt="none">
              {t.sources[source]}
            </Badge>
          )}
          {restartRequired && (
            <Tooltip label={t.restartHint}>
              <Badge variant="outline" color="gray" tt="none">
                {t.restart}
              </Badge>
            </Tooltip>
          )}
        </Group>
        <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {key}
        </Text>
        {description !== null && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
        {error !== undefined && (
          <Text size="sm" c="red" role="alert">
            {error}
          </Text>
        )}
      </div>
      <div className="cs-setting-value">
        {isSwitch ? (
          <Switch
            aria-label={title}
            checked={(newValue ?? setting.value) === true}
            onChange={(event) =>
              onChange(event.currentTarget.checked === setting.value ? undefined : event.currentTarget.checked)
            }
          />
        ) : (
          <SettingValue setting={setting} newValue={newValue} />
        )}
      </div>
      <Group gap={4} justify="flex-end" wrap="nowrap">
        {!editable && (
          <Tooltip label={t.notEditableHint}>
            <Text size="xs" c="dimmed">
              {t.notEditable}
            </Text>
          </Tooltip>
        )}
        {newValue !== undefined && (
          <Button size="xs" variant="subtle" aria-label={t.undoLabel(key)} onClick={() => onChange(undefined)}>
            {t.undo}
          </Button>
        )}
        {editable && source === 'override' && newValue === undefined && (
          <Button size="xs" variant="subtle" aria-label={t.resetLabel(key)} onClick={() => onChange(null)}>
            {t.reset}
          </Button>
        )}
        {editable && !isSwitch && (
          <Button
            size="xs"
            variant="default"
            aria-label={isSecret ? t.rotateLabel(key) : t.editLabel(key)}
            onClick={onEdit}
          >
            {isSecret ? t.rotate : t.edit}
          </Button>
        )}
      </Group>
    </div>
  );
}

function SettingValue({ setting, newValue }: { readonly setting: Setting; readonly newValue: JsonValue | undefined }) {
  if (setting.isSecret) {
    return (
      <>
        {setting.isSet ? t.secretSet : t.secretUnset}
        {setting.lastRotatedAt !== null && (
          <Text size="xs" c="dimmed">
            {t.rotated} <Timestamp at={setting.lastRotatedAt} />
          </Text>
        )}
      </>
    );
  }
  if (newValue === undefined) return <ValueText value={setting.value} />;
  return (
    <>
      <del>
        <ValueText value={setting.value} />
      </del>
      {' → '}
      {newValue === null ? t.resetPending : <ValueText value={newValue} />}
    </>
  );
}

/** Shows a value as readable text. */
export function ValueText({ value }: { readonly value: JsonValue }) {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return t.nothing;
  if (typeof value === 'boolean') return value ? t.on : t.off;
  return toInputText({ type: Array.isArray(value) ? 'list' : 'string', value });
}
