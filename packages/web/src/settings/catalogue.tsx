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
import { buildSections } from './setting-values.js';

const t = texts.settings;

/** New values by setting key; `null` resets a saved value. */
export type SettingChanges = ReadonlyMap<string, JsonValue>;

/**
 * Shows all settings by section. Edits are collected, reviewed together and saved atomically. Query parameters: `?q=`,
 * `?section=`, `?changed=`.
 */
export function Catalogue({ settings }: { readonly settings: readonly Setting[] }) {
  const url = useUrlState();
  const search = url.get('q') ?? '';
  const [searchText, setSearchText] = useTypedText(search, (q) => url.set({ q }), 0);
  const onlyChanged = url.get('changed') !== undefined;
  const sections = useMemo(() => buildSections(settings, search, onlyChanged), [settings, search, onlyChanged]);
  const section = url.get('section');
  const shownSections =
    sections.some(({ name }) => name === section) && search === ''
      ? sections.filter(({ name }) => name === section)
      : sections;
  const [changes, setChanges] = useState<SettingChanges>(new Map());
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const [editedSetting, setEditedSetting] = useState<Setting>();
  const [rotatedSecret, setRotatedSecret] = useState<Setting>();
  const [isReviewing, setIsReviewing] = useState(false);
  const changeSetting = (key: string, value: JsonValue | undefined): void => {
    setErrors((previous) => new Map([...previous].filter(([each]) => each !== key)));
    setChanges((previous) => {
      const next = new Map(previous);
      if (value === undefined) next.delete(key);
      else next.set(key, value);
      return next;
    });
  };
  const clearChanges = (): void => {
    setChanges(new Map());
    setErrors(new Map());
  };
  const rotationGrace = settings.find(({ key }) => key === 'Settings:RotationGrace')?.value;
  return (
    <>
      <Group mb="sm" align="flex-end">
        <TextInput
          aria-label={t.search}
          placeholder={t.searchHint}
          w={320}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={searchText}
          onChange={(event) => setSearchText(event.currentTarget.value)}
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
          {sections.map(({ name, settings: sectionSettings }) => (
            <NavLink
              key={name}
              component="button"
              type="button"
              label={name}
              rightSection={<Text size="xs">{sectionSettings.length}</Text>}
              active={name === section}
              aria-current={name === section ? 'true' : undefined}
              onClick={() => url.set({ section: name === section ? undefined : name, q: undefined })}
            />
          ))}
        </nav>
        <div>
          {shownSections.length === 0 && <EmptyState title={t.nothingFound} />}
          {shownSections.map(({ name, settings: sectionSettings }) => (
            <section key={name} aria-label={name}>
              <Title order={2} size="h5" mt="xs">
                {name}
              </Title>
              {sectionSettings.map((setting) => (
                <SettingRow
                  key={setting.key}
                  setting={setting}
                  newValue={changes.get(setting.key)}
                  error={errors.get(setting.key)}
                  onEdit={() => (setting.isSecret ? setRotatedSecret(setting) : setEditedSetting(setting))}
                  onChange={(value) => changeSetting(setting.key, value)}
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
            <Button variant="default" onClick={clearChanges}>
              {t.discard}
            </Button>
            <Button onClick={() => setIsReviewing(true)}>{t.review}</Button>
          </Group>
        </Group>
      )}
      <EditDialog
        key={editedSetting?.key}
        setting={editedSetting}
        newValue={editedSetting === undefined ? undefined : changes.get(editedSetting.key)}
        onApply={(value) => {
          if (editedSetting !== undefined) changeSetting(editedSetting.key, value);
          setEditedSetting(undefined);
        }}
        onClose={() => setEditedSetting(undefined)}
      />
      <RotateDialog
        key={`rotate ${rotatedSecret?.key ?? ''}`}
        setting={rotatedSecret}
        grace={typeof rotationGrace === 'string' ? rotationGrace : undefined}
        onClose={() => setRotatedSecret(undefined)}
      />
      <ReviewDialog
        opened={isReviewing}
        settings={settings}
        changes={changes}
        onErrors={setErrors}
        onSaved={clearChanges}
        onClose={() => setIsReviewing(false)}
      />
    </>
  );
}
