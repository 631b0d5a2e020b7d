import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { useTypedText } from '@countersign/inbox-ui/ui/use-typed-text';
import { Button, Group, NavLink, Text, TextInput, Switch, Title } from '@mantine/core';
import type { JsonValue, Setting } from '@countersign/contract';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { EditDialog } from './edit-dialog.js';
import { ReviewDialog } from './review-dialog.js';
import { RotateDialog } from './rotate-dialog.js';
import { SettingRow } from './setting-row.js';
import { sectionsOf } from './setting-values.js';

const { settings: t } = texts;

/** Changes to save, by key; `null` resets a saved value. */
export type Changes = ReadonlyMap<string, JsonValue>;

/** Shows all settings by section. Edits are collected, reviewed together and saved atomically. `?q=`, `?section=`. */
export function Catalogue({ settings }: { readonly settings: readonly Setting[] }) {
  const url = useUrlState();
  const search = url.get('q') ?? '';
  const [typed, type] = useTypedText(search, (q) => url.set({ q }), 0);
  const onlyChanged = url.get('changed') !== undefined;
  const sections = useMemo(() => sectionsOf(settings, search, onlyChanged), [settings, search, onlyChanged]);
  const section = url.get('section');
  const shown =
    sections.some(({ name }) => name === section) && search === ''
      ? sections.filter(({ name }) => name === section)
      : sections;
  const [changes, setChanges] = useState<Changes>(new Map());
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const [editing, setEditing] = useState<Setting>();
  const [rotating, setRotating] = useState<Setting>();
  const [reviewing, setReviewing] = useState(false);
  const change = (key: string, value: JsonValue | undefined): void => {
    setFaults((before) => new Map([...before].filter(([each]) => each !== key)));
    setChanges((before) => {
      const next = new Map(before);
      if (value === undefined) next.delete(key);
      else next.set(key, value);
      return next;
    });
  };
  const discard = (): void => {
    setChanges(new Map());
    setFaults(new Map());
  };
  const grace = settings.find(({ key }) => key === 'Settings:RotationGrace')?.value;
  return (
    <>
      <Group mb="sm" align="flex-end">
        <TextInput
          aria-label={t.search}
          placeholder={t.searchHint}
          w={320}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <Switch
          label={t.onlyChanged}
          checked={onlyChanged}
          onChange={(event) => url.set({ changed: event.currentTarget.checked ? 1 : undefined })}
          mb={8}
        />
      </Group>
      <div className="cs-settings-body">
        <nav aria-label={t.sections} className="cs-settings-sections">
          {sections.map(({ name, settings: all }) => (
            <NavLink
              key={name}
              component="button"
              type="button"
              label={name}
              rightSection={<Text size="xs">{all.length}</Text>}
              active={name === section}
              aria-current={name === section ? 'true' : undefined}
              onClick={() => url.set({ section: name === section ? undefined : name, q: undefined })}
            />
          ))}
        </nav>
        <div>
          {shown.length === 0 && <EmptyState title={t.nothingFound} />}
          {shown.map(({ name, settings: all }) => (
            <section key={name} aria-label={name}>
              <Title order={2} size="h5" mt="xs">
                {name}
              </Title>
              {all.map((setting) => (
                <SettingRow
                  key={setting.key}
                  setting={setting}
                  changed={changes.get(setting.key)}
                  fault={faults.get(setting.key)}
                  onEdit={() => (setting.isSecret ? setRotating(setting) : setEditing(setting))}
                  onChange={(value) => change(setting.key, value)}
                />
              ))}
            </section>
          ))}
        </div>
      </div>
      {changes.size > 0 && (
        <Group className="cs-settings-bar" justify="space-between">
          <Text size="sm" fw={600} role="status">
            {t.changes(changes.size)}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={discard}>
              {t.discard}
            </Button>
            <Button onClick={() => setReviewing(true)}>{t.review}</Button>
          </Group>
        </Group>
      )}
      <EditDialog
        key={editing?.key}
        setting={editing}
        changed={editing === undefined ? undefined : changes.get(editing.key)}
        onTake={(value) => {
          if (editing !== undefined) change(editing.key, value);
          setEditing(undefined);
        }}
        onClose={() => setEditing(undefined)}
      />
      <RotateDialog
        key={`rotate ${rotating?.key ?? ''}`}
        setting={rotating}
        grace={typeof grace === 'string' ? grace : undefined}
        onClose={() => setRotating(undefined)}
      />
      <ReviewDialog
        opened={reviewing}
        settings={settings}
        changes={changes}
        onFaults={setFaults}
        onSaved={discard}
        onClose={() => setReviewing(false)}
      />
    </>
  );
}
